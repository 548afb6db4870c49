// Needed because 3,100 slow forms took the site down: docs/limits.md and decision 143.
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { isLoopbackAddress } from "#app/config/addresses.ts";
import { log } from "#app/log.server.ts";
import { addGauge } from "../metrics/process-metrics.server.ts";
import { limitKey, limitKeyOf, plainAddress } from "../request/client-address.server.ts";
import { isFront, PEER } from "../request/front-requests.server.ts";
import type { RequestContext, RequestRefusal } from "../request/request-context.server.ts";
import { RETRY_AFTER_SECONDS, retryAfter } from "../request/retry-after.ts";
import { isTrustedProxy } from "../request/trusted-proxies.server.ts";
import { refuseConnection } from "./refusal.server.ts";
import { type CountedConnection, findSlowest } from "./slowest-connection.ts";

/** Per process: docs/limits.md. */
const MAX_CONNECTIONS = 3_000;
export const MAX_CONNECTIONS_PER_ADDRESS = 256;
/** So that a health check of this machine is answered during a flood. Behind a local proxy, nginx's own limits keep floods away. */
const RESERVED_FOR_LOOPBACK = 20;
const SWEEP_MS = 30_000;
const MIN_BYTES_PER_SWEEP = 3_000;

export const TOO_MANY: RequestRefusal = {
  status: 429,
  sentence: "There are too many connections from your network. Wait a few seconds, then try again.",
  headers: Object.entries(retryAfter(RETRY_AFTER_SECONDS.busy)),
};

interface Connection extends CountedConnection {
  /** The network that it counts for: the peer's, or the visitor's while a proxy's connection has a request. */
  key: string | null;
  isFromProxy: boolean;
  movedBytes: number;
}

const connections = new Map<Socket, Connection>();
const countByKey = new Map<string, number>();
let exempted = 0;
let isSweeping = false;
let hasWarned = false;

addGauge("peony_connections", "Open connections to the web processes.", () => connections.size);

/** Past the total limit, a slower connection ends instead. */
export function admitConnection(socket: Socket): void {
  const peer = plainAddress(socket.remoteAddress ?? "");
  const isFromProxy = isTrustedProxy(peer) || isFront(peer);
  const key = isFromProxy ? null : limitKey(peer);
  if (key !== null && countOf(key) >= MAX_CONNECTIONS_PER_ADDRESS) {
    warnOnce();
    refuseConnection(socket, TOO_MANY, { isSending: false });
    return;
  }
  const isOwnMachine = !isFromProxy && isLoopbackAddress(peer);
  const limit = MAX_CONNECTIONS + (isOwnMachine ? RESERVED_FOR_LOOPBACK : 0);
  if (connections.size - exempted >= limit && !endSlowest()) {
    socket.destroy();
    return;
  }
  const since = { at: performance.now(), bytesRead: 0 };
  const connection: Connection = {
    ...{ socket, key: null, isFromProxy, exchange: null, since },
    ...{ movedBytes: 0, stalledMs: 0, isExempt: false },
  };
  connections.set(socket, connection);
  if (key !== null) count(connection, key);
  socket.once("close", () => forget(socket));
  if (!isSweeping) setInterval(sweep, SWEEP_MS).unref();
  isSweeping = true;
}

/** From now on its member counts it. It must not carry another request. */
export function exemptConnection(socket: Socket): void {
  const connection = connections.get(socket);
  if (!connection || connection.isExempt) return;
  uncount(connection);
  connection.isExempt = true;
  exempted += 1;
}

/** Call it after the headers were checked. */
export function countExchange(request: IncomingMessage, context: RequestContext): void {
  const connection = connections.get(request.socket);
  if (!connection) return;
  connection.exchange = { request, context };
  begin(connection);
  context.response.once("finish", () => begin(connection));
  // nginx has counted what it passes on.
  if (!connection.isFromProxy || PEER in request.headers) return;
  const key = limitKeyOf(request);
  uncount(connection);
  if (countOf(key) >= MAX_CONNECTIONS_PER_ADDRESS) {
    context.refusal = TOO_MANY;
    // Otherwise Node would wait for the rest of the request.
    context.response.setHeader("Connection", "close");
    return;
  }
  count(connection, key);
  context.response.once("close", () => {
    if (connection.exchange?.request === request) uncount(connection);
  });
}

function begin(connection: Connection): void {
  connection.since = { at: performance.now(), bytesRead: connection.socket.bytesRead };
}

/** Nobody needs half a minute for 3 KB. */
function sweep(): void {
  for (const connection of connections.values()) {
    const { socket, exchange } = connection;
    const movedBytes = socket.bytesRead + socket.bytesWritten - socket.writableLength;
    const isStalled = waitsForClient(connection) && movedBytes - connection.movedBytes < MIN_BYTES_PER_SWEEP;
    connection.stalledMs = isStalled ? connection.stalledMs + SWEEP_MS : 0;
    connection.movedBytes = movedBytes;
    const limitMs = exchange?.context.pauseMs ?? SWEEP_MS;
    // The first sweep may come right after the request.
    if (connection.stalledMs > limitMs) socket.destroy();
  }
}

function waitsForClient({ socket, exchange }: Connection): boolean {
  return socket.writableLength > 0 || exchange?.request.complete === false;
}

function endSlowest(): boolean {
  const slowest = findSlowest(connections.values());
  if (slowest === undefined) return false;
  slowest.socket.destroy();
  forget(slowest.socket);
  return true;
}

function forget(socket: Socket): void {
  const connection = connections.get(socket);
  if (!connection) return;
  connections.delete(socket);
  uncount(connection);
  if (connection.isExempt) exempted -= 1;
}

function count(connection: Connection, key: string): void {
  connection.key = key;
  countByKey.set(key, countOf(key) + 1);
}

function uncount(connection: Connection): void {
  const { key } = connection;
  if (key === null) return;
  connection.key = null;
  const left = countOf(key) - 1;
  if (left > 0) countByKey.set(key, left);
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
