// Needed because refusing a seventh connection would lock out a member's phone while a dead one still counts: decision 106.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { isSubscribed } from "#app/domain/access/access.ts";
import { announceLive, type LiveOpening } from "#app/domain/announcements/live-announcements.server.ts";
import { hasRight } from "#app/domain/staff/rights.ts";
import type { LiveEvent } from "#app/live-events.ts";
import { addGauge } from "../metrics/process-metrics.server.ts";
import { exemptConnection } from "../server/connections.server.ts";
import { onDrain } from "../server/drain.server.ts";
import type { Member } from "../session/guards.server.ts";
import { endEvent, heartbeat, MAX_LIVE_CONNECTIONS, retryText, textOf } from "./event-texts.ts";

/** Over all processes: docs/limits.md. */
export const MAX_LIVE_CONNECTIONS_PER_MEMBER = 6;
/** A client that does not read is then disconnected. */
const MAX_WAITING_BYTES = 16 * 1024;

export interface LiveConnection extends LiveOpening {
  isSubscribed: boolean;
  mayEdit: boolean;
  /** The member's sessions that have since opened a connection. */
  later: Set<string>;
  second: number;
  response: ServerResponse;
  controller: ReadableStreamDefaultController<Uint8Array> | undefined;
}

const byUser = new Map<string, Set<LiveConnection>>();
let count = 0;
let isDraining = false;

addGauge("peony_live_connections", "Open live connections.", () => count);

onDrain(() => {
  isDraining = true;
  for (const connection of allConnections()) endConnection(connection, retryText());
});

/** Null without room. The body ends with its socket or by endConnection(). */
export function openConnection(member: Member, response: ServerResponse): ReadableStream<Uint8Array> | null {
  if (isDraining) return null;
  const { user, session } = member;
  const opening: LiveOpening = {
    userId: user.id,
    sessionId: session.sessionId,
    connectionId: randomUUID(),
    openedAt: session.now.getTime(),
  };
  // At once, because it may need the room and announcements may be lost.
  replaceOlder(opening);
  if (count >= MAX_LIVE_CONNECTIONS) return null;
  const connection: LiveConnection = {
    ...opening,
    isSubscribed: isSubscribed(member),
    mayEdit: hasRight(member, "media.edit"),
    later: new Set(),
    second: Math.floor(performance.now() / 1000),
    response,
    controller: undefined,
  };
  announceLive({ kind: "connection", ...opening });
  exemptConnection(response.req.socket);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      connection.controller = controller;
    },
    cancel: () => forget(connection),
  });
  response.once("close", () => forget(connection));
  const connections = byUser.get(user.id) ?? new Set();
  byUser.set(user.id, connections.add(connection));
  count += 1;
  write(connection, retryText());
  for (const other of connectionsOf(user.id)) replaceIfOlder(connection, other);
  return body;
}

/** Openings may arrive in any order: each process collects its announcements. */
export function replaceOlder(opening: LiveOpening): void {
  for (const connection of connectionsOf(opening.userId)) replaceIfOlder(connection, opening);
}

/** Replaced by a newer connection of its session, or by the sixth later session. */
function replaceIfOlder(connection: LiveConnection, other: LiveOpening): void {
  if (!isLater(other, connection)) return;
  connection.later.add(other.sessionId);
  if (other.sessionId === connection.sessionId || connection.later.size >= MAX_LIVE_CONNECTIONS_PER_MEMBER) {
    endConnection(connection, endEvent("replaced"));
  }
}

function isLater(one: LiveOpening, other: LiveOpening): boolean {
  if (one.openedAt !== other.openedAt) return one.openedAt > other.openedAt;
  return one.connectionId > other.connectionId;
}

export function connectionsOf(userId: string): LiveConnection[] {
  return [...(byUser.get(userId) ?? [])];
}

export function allConnections(): LiveConnection[] {
  return [...byUser.values()].flatMap((connections) => [...connections]);
}

export function send(connection: LiveConnection, event: LiveEvent): void {
  write(connection, textOf(event));
}

export function beat(connections: Iterable<LiveConnection>): void {
  for (const connection of connections) write(connection, heartbeat);
}

export function endConnection(connection: LiveConnection, lastText: Uint8Array): void {
  write(connection, lastText);
  const { controller } = connection;
  forget(connection);
  controller?.close();
}

function write(connection: LiveConnection, text: Uint8Array): void {
  const { controller, response } = connection;
  if (controller === undefined) return;
  if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
  else controller.enqueue(text);
}

function forget(connection: LiveConnection): void {
  connection.controller = undefined;
  const connections = byUser.get(connection.userId);
  if (!connections?.delete(connection)) return;
  count -= 1;
  if (connections.size === 0) byUser.delete(connection.userId);
}
