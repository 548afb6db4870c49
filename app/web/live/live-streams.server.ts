import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { isSubscribed } from "#app/domain/access/access.ts";
import { announceLive, type LiveOpening } from "#app/domain/announcements/live-announcements.server.ts";
import { addGauge } from "../metrics/process-metrics.server.ts";
import { exemptConnection } from "../server/connections.server.ts";
import { onDrain } from "../server/drain.server.ts";
import type { Member } from "../session/guards.server.ts";
import { endEvent, heartbeat, type LiveEvent, retryText, textOf } from "./live-events.ts";
import { MAX_LIVE_STREAMS } from "./live-limits.ts";

/** Over all processes. docs/limits.md gives the reason for the figure. */
export const MAX_LIVE_STREAMS_PER_MEMBER = 6;
/** A client that takes nothing is closed before the server holds more for it. */
const MAX_WAITING_BYTES = 16 * 1024;

export interface LiveStream extends LiveOpening {
  /** At the opening, or at the last check. */
  isSubscribed: boolean;
  /** Sessions of the member that have opened a stream after this one. */
  later: Set<string>;
  /** The second of the heartbeat in which it was opened. */
  second: number;
  response: ServerResponse;
  controller: ReadableStreamDefaultController<Uint8Array> | undefined;
}

const byUser = new Map<string, Set<LiveStream>>();
let count = 0;
let isDraining = false;

addGauge("peony_live_streams", "Open live connections.", () => count);

onDrain(() => {
  isDraining = true;
  for (const stream of allStreams()) endStream(stream, retryText());
});

/** The body of the response; null without room for it. The stream ends with the connection, or by endStream(). */
export function openStream(member: Member, response: ServerResponse): ReadableStream<Uint8Array> | null {
  if (isDraining) return null;
  const { user, session } = member;
  const opening: LiveOpening = {
    userId: user.id,
    sessionId: session.sessionId,
    connectionId: randomUUID(),
    openedAt: session.now.getTime(),
  };
  // At once: it may need the room here, and announcements may not be heard.
  noteOpened(opening);
  if (count >= MAX_LIVE_STREAMS) return null;
  const stream: LiveStream = {
    ...opening,
    isSubscribed: isSubscribed(member),
    later: new Set(),
    second: Math.floor(performance.now() / 1000),
    response,
    controller: undefined,
  };
  announceLive({ kind: "connection", ...opening });
  exemptConnection(response.req.socket);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      stream.controller = controller;
    },
    cancel: () => forget(stream),
  });
  response.once("close", () => forget(stream));
  const streams = byUser.get(user.id) ?? new Set();
  byUser.set(user.id, streams.add(stream));
  count += 1;
  write(stream, retryText());
  for (const other of streamsOf(user.id)) countLater(stream, other);
  return body;
}

/** The oldest gives way. Openings may arrive in any order, because each process collects its announcements. */
export function noteOpened(opening: LiveOpening): void {
  for (const stream of streamsOf(opening.userId)) countLater(stream, opening);
}

function countLater(stream: LiveStream, other: LiveOpening): void {
  if (!isLater(other, stream)) return;
  stream.later.add(other.sessionId);
  if (other.sessionId === stream.sessionId || stream.later.size >= MAX_LIVE_STREAMS_PER_MEMBER) {
    endStream(stream, endEvent("replaced"));
  }
}

function isLater(one: LiveOpening, other: LiveOpening): boolean {
  if (one.openedAt !== other.openedAt) return one.openedAt > other.openedAt;
  return one.connectionId > other.connectionId;
}

export function streamsOf(userId: string): LiveStream[] {
  return [...(byUser.get(userId) ?? [])];
}

export function allStreams(): LiveStream[] {
  return [...byUser.values()].flatMap((streams) => [...streams]);
}

export function send(stream: LiveStream, event: LiveEvent): void {
  write(stream, textOf(event));
}

export function beat(streams: Iterable<LiveStream>): void {
  for (const stream of streams) write(stream, heartbeat);
}

export function endStream(stream: LiveStream, lastText: Uint8Array): void {
  write(stream, lastText);
  const { controller } = stream;
  forget(stream);
  controller?.close();
}

function write(stream: LiveStream, text: Uint8Array): void {
  const { controller, response } = stream;
  if (controller === undefined) return;
  if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
  else controller.enqueue(text);
}

function forget(stream: LiveStream): void {
  stream.controller = undefined;
  const streams = byUser.get(stream.userId);
  if (!streams?.delete(stream)) return;
  count -= 1;
  if (streams.size === 0) byUser.delete(stream.userId);
}
