import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { log } from "#app/log.server.ts";
import { addGauge } from "../metrics/process-metrics.server.ts";
import { limitKey, plainAddress } from "../request/client-address.server.ts";
import type { Refusal, RequestContext } from "../request/request-context.server.ts";
import { isTrustedProxy } from "../request/trusted-proxies.server.ts";
import { isFront } from "./front-requests.server.ts";
import { refuseConnection } from "./refusal.server.ts";

/** Per process. docs/limits.md gives the reasons for the figures. */
const MAX_CONNECTIONS = 3_000;
export const MAX_CONNECTIONS_PER_ADDRESS = 256;
const SWEEP_MS = 30_000;
const MIN_BYTES_PER_SWEEP = 3_000;

export const TOO_MANY: Refusal = {
  status: 429,
  sentence: "There are too many connections from your network: wait a few seconds, then try again.",
  headers: [["Retry-After", "5"]],
};

interface Connection {
  socket: Socket;
  /** Null for a proxy, whose connections are shared. */
  key: string | null;
  exchange: { request: IncomingMessage; context: RequestContext } | null;
  movedBytes: number;
  stalledMs: number;
  isExempt: boolean;
}

const connections = new Map<Socket, Connection>();
const countByKey = new Map<string, number>();
let exempted = 0;
let isSweeping = false;
let hasWarned = false;

addGauge("peony_connections", "Open connections to the web processes.", () => connections.size);

/** Refuses a connection past the limit of its address, and ends an older one past the total limit. */
export function admitConnection(socket: Socket): void {
  const peer = plainAddress(socket.remoteAddress ?? "");
  const key = isTrustedProxy(peer) || isFront(peer) ? null : limitKey(peer);
  if (key !== null && countOf(key) >= MAX_CONNECTIONS_PER_ADDRESS) {
    warnOnce();
    refuseConnection(socket, TOO_MANY, { isSending: false });
    return;
  }
  if (connections.size - exempted >= MAX_CONNECTIONS && !endOldestWaiting()) {
    socket.destroy();
    return;
  }
  connections.set(socket, { socket, key, exchange: null, movedBytes: 0, stalledMs: 0, isExempt: false });
  if (key !== null) countByKey.set(key, countOf(key) + 1);
  socket.once("close", () => forget(socket));
  if (!isSweeping) setInterval(sweep, SWEEP_MS).unref();
  isSweeping = true;
}

/** For a connection that is counted by its member from now on. It must not carry another request. */
export function exemptConnection(socket: Socket): void {
  const connection = connections.get(socket);
  if (!connection || connection.isExempt) return;
  discount(connection);
  connection.key = null;
  connection.isExempt = true;
  exempted += 1;
}

export function noteExchange(request: IncomingMessage, context: RequestContext): void {
  const connection = connections.get(request.socket);
  if (connection) connection.exchange = { request, context };
}

/** Ends connections that wait for their client: nobody needs half a minute for 3 KB. */
function sweep(): void {
  for (const connection of connections.values()) {
    const { socket, exchange } = connection;
    const movedBytes = socket.bytesRead + socket.bytesWritten - socket.writableLength;
    const isStalled = isUpToClient(connection) && movedBytes - connection.movedBytes < MIN_BYTES_PER_SWEEP;
    connection.stalledMs = isStalled ? connection.stalledMs + SWEEP_MS : 0;
    connection.movedBytes = movedBytes;
    const limitMs = exchange?.context.pauseMs ?? SWEEP_MS;
    // The first sweep may have come right after the request.
    if (connection.stalledMs > limitMs) socket.destroy();
  }
}

function isUpToClient({ socket, exchange }: Connection): boolean {
  return socket.writableLength > 0 || exchange?.request.complete === false;
}

function endOldestWaiting(): boolean {
  for (const { socket, exchange } of connections.values()) {
    if (exchange !== null && !exchange.context.response.writableFinished) continue;
    socket.destroy();
    forget(socket);
    return true;
  }
  return false;
}

function forget(socket: Socket): void {
  const connection = connections.get(socket);
  if (!connection) return;
  connections.delete(socket);
  discount(connection);
  if (connection.isExempt) exempted -= 1;
}

function discount({ key }: Connection): void {
  if (key === null) return;
  const count = countOf(key) - 1;
  if (count > 0) countByKey.set(key, count);
  else countByKey.delete(key);
}

function countOf(key: string): number {
  return countByKey.get(key) ?? 0;
}

function warnOnce(): void {
  if (hasWarned) return;
  hasWarned = true;
  log.warn(
    { connections: MAX_CONNECTIONS_PER_ADDRESS },
    "one network address has reached its connection limit: if it is a proxy, set TRUST_PROXY",
  );
}
