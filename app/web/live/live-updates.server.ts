import { hearChanges } from "#app/domain/changes/announced-changes.server.ts";
import { type LiveChange, readLiveChange } from "#app/domain/changes/live-changes.server.ts";
import { listOpenSessions } from "#app/domain/viewer/open-sessions.server.ts";
import { log } from "#app/log.server.ts";
import { endEvent, retryText } from "./live-events.ts";
import {
  allStreams,
  beat,
  endStream,
  type LiveStream,
  noteOpened,
  send,
  streamsOf,
} from "./live-streams.server.ts";

/** From the specification. */
const HEARTBEAT_SECONDS = 30;
const CHECK_EVERY_SECONDS = 4;
/** Looked at every second, so that no stream outlives its session by ten. */
const MAX_UNCHECKED_MS = 7_500;
const COLLECT_MS = 50;
const TICK_MS = 1_000;
const USER = "user ";

const changedUsers = new Set<string>();
let isStarted = false;
let lastSecond = 0;
let checkedAt = 0;
let isChecking = false;

/** One timer for all streams: heartbeats, lost announcements of a session's end, and access that has ended by the clock. */
export function startLiveUpdates(): void {
  if (isStarted) return;
  isStarted = true;
  checkedAt = performance.now();
  lastSecond = Math.floor(checkedAt / 1000);
  hearChanges({ heard, gapEnded });
  setInterval(tick, TICK_MS).unref();
}

function heard(payload: string): void {
  if (payload.startsWith(USER)) noteChangedUser(payload.slice(USER.length));
  const change = readLiveChange(payload);
  if (change === null) return;
  if (change.kind === "stream") noteOpened(change);
  else announceToOtherDevices(change);
}

/** The browser that made a change shows it already, and progress is saved every ten seconds. */
function announceToOtherDevices(change: Exclude<LiveChange, { kind: "stream" }>): void {
  for (const stream of streamsOf(change.userId)) {
    if (stream.sessionId !== change.sessionId) send(stream, change);
  }
}

function noteChangedUser(userId: string): void {
  if (streamsOf(userId).length === 0) return;
  if (changedUsers.size === 0) setTimeout(announceAccessChanges, COLLECT_MS);
  changedUsers.add(userId);
}

async function announceAccessChanges(): Promise<void> {
  const streams = [...changedUsers].flatMap(streamsOf);
  changedUsers.clear();
  await checkSessions(streams);
  for (const stream of streams) send(stream, { kind: "access" });
}

function gapEnded(): void {
  for (const stream of allStreams()) send(stream, { kind: "gap" });
}

function tick(): void {
  const streams = allStreams();
  const now = Math.floor(performance.now() / 1000);
  // Timers come late under load, and a skipped second would skip the heartbeats that are due in it.
  for (let second = lastSecond + 1; second <= now; second++) {
    beat(streams.filter((stream) => isDue(stream, second)));
    if (second % CHECK_EVERY_SECONDS === 0) void check();
  }
  lastSecond = now;
  if (performance.now() - checkedAt <= MAX_UNCHECKED_MS) return;
  for (const stream of allStreams()) endStream(stream, retryText());
}

/** Each stream has its own second of the thirty, so that not all are written to at once. */
function isDue(stream: LiveStream, second: number): boolean {
  return second > stream.second && (second - stream.second) % HEARTBEAT_SECONDS === 0;
}

async function check(): Promise<void> {
  if (isChecking) return;
  isChecking = true;
  try {
    const startedAt = performance.now();
    const streams = allStreams();
    const subscribed = streams.filter(({ isSubscribed }) => isSubscribed);
    if (await checkSessions(streams)) checkedAt = startedAt;
    // Nothing announces an end by the clock.
    for (const stream of subscribed) if (!stream.isSubscribed) send(stream, { kind: "access" });
  } finally {
    isChecking = false;
  }
}

/** Ends the streams whose session is over, and notes who has access; false when the database did not say. */
async function checkSessions(streams: LiveStream[]): Promise<boolean> {
  if (streams.length === 0) return true;
  try {
    const open = await listOpenSessions(streams.map(({ sessionId }) => sessionId));
    for (const stream of streams) {
      const session = open.get(stream.sessionId);
      if (session) stream.isSubscribed = session.isSubscribed;
      else endStream(stream, endEvent("ended"));
    }
    return true;
  } catch (error) {
    log.warn({ err: error }, "sessions of live streams not checked");
    return false;
  }
}
