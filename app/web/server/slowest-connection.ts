// Needed because slow senders hold the connections that others wait for: docs/limits.md.
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { RequestContext } from "../request/request-context.server.ts";

export interface CountedConnection {
  socket: Socket;
  exchange: { request: IncomingMessage; context: RequestContext } | null;
  /** When its request began, or its wait for the next one. */
  since: { at: number; bytesRead: number };
  stalledMs: number;
  isExempt: boolean;
}

/** A new connection has had no time to be slow. */
const JUST_BEGUN_MS = 1_000;
/** A slow phone sends ten times as much. */
const SLOW_BYTES_PER_SECOND = 1_000;

/** In this order: a slow request, an idle connection, a client that reads no answer, the slowest request. */
export function findSlowest<Connection extends CountedConnection>(
  connections: Iterable<Connection>,
): Connection | undefined {
  const now = performance.now();
  const counted = [...connections].filter(
    ({ since, isExempt }) => !isExempt && now - since.at > JUST_BEGUN_MS,
  );
  const speed = ({ socket, since }: Connection) =>
    ((socket.bytesRead - since.bytesRead) * 1000) / (now - since.at);
  const first = (isOne: (one: Connection) => boolean, weight: (one: Connection) => number) =>
    counted.filter(isOne).sort((a, b) => weight(a) - weight(b))[0];
  const slowest = first((one) => !isIdle(one) && one.exchange?.request.complete !== true, speed);
  if (slowest !== undefined && speed(slowest) < SLOW_BYTES_PER_SECOND) return slowest;
  const idle = first(isIdle, ({ since }) => since.at);
  const stalled = first(
    ({ stalledMs }) => stalledMs > 0,
    ({ stalledMs }) => -stalledMs,
  );
  return idle ?? stalled ?? slowest;
}

function isIdle({ exchange }: CountedConnection): boolean {
  return exchange?.context.response.writableFinished === true && exchange.request.complete;
}
