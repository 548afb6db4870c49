// Needed because no write announces access that ends by the clock, and announcements may be lost: decision 106.
import { listenToAnnouncements, type Subject } from "#app/domain/announcements/listen.server.ts";
import {
  type LiveAnnouncement,
  readLiveAnnouncement,
} from "#app/domain/announcements/live-announcements.server.ts";
import { hasRight } from "#app/domain/staff/rights.ts";
import { listOpenSessions } from "#app/domain/viewer/find-viewer.server.ts";
import { HEARTBEAT_SECONDS } from "#app/heartbeat.ts";
import type { LiveEvent } from "#app/live-events.ts";
import { log } from "#app/log.server.ts";
import { endEvent, retryText } from "./event-texts.ts";
import {
  allConnections,
  beat,
  connectionsOf,
  endConnection,
  type LiveConnection,
  replaceOlder,
  send,
} from "./live-connections.server.ts";

const CHECK_EVERY_SECONDS = 4;
/** A connection ends within ten seconds of its session. */
const MAX_UNCHECKED_MS = 7_500;
const TICK_MS = 1_000;
const USER = "user ";

const changedUsers = new Set<string>();
let isStarted = false;
let lastSecond = 0;
let checkedAt = 0;
let isChecking = false;

/** One timer serves all connections. */
export function startLiveUpdates(): void {
  if (isStarted) return;
  isStarted = true;
  checkedAt = performance.now();
  lastSecond = Math.floor(checkedAt / 1000);
  listenToAnnouncements({ onSubject, onLive, onBeginning });
  setInterval(tick, TICK_MS).unref();
}

function onSubject(subject: Subject): void {
  if (subject.startsWith(USER)) collectChangedUser(subject.slice(USER.length));
}

function onLive(payload: string): void {
  const announcement = readLiveAnnouncement(payload);
  if (announcement === null) return;
  if (announcement.kind === "connection") replaceOlder(announcement);
  else if (announcement.kind === "encoding") sendToEditors(announcement);
  else sendToOtherDevices(announcement);
}

function sendToEditors(announcement: LiveEvent): void {
  for (const connection of allConnections()) if (connection.mayEdit) send(connection, announcement);
}

function sendToOtherDevices(
  announcement: Extract<LiveAnnouncement, { userId: string; kind: "progress" | "favorite" }>,
): void {
  for (const connection of connectionsOf(announcement.userId)) {
    if (connection.sessionId !== announcement.sessionId) send(connection, announcement);
  }
}

function collectChangedUser(userId: string): void {
  if (connectionsOf(userId).length === 0) return;
  // One transaction announces its members together, so their sessions are read together.
  if (changedUsers.size === 0) setImmediate(announceAccessChanges);
  changedUsers.add(userId);
}

async function announceAccessChanges(): Promise<void> {
  const connections = [...changedUsers].flatMap(connectionsOf);
  changedUsers.clear();
  await applySessions(connections);
  for (const connection of connections) send(connection, { kind: "access" });
}

function onBeginning(): void {
  for (const connection of allConnections()) send(connection, { kind: "gap" });
}

function tick(): void {
  const connections = allConnections();
  const now = Math.floor(performance.now() / 1000);
  // Timers are late under load, and a skipped second would skip its heartbeats.
  for (let second = lastSecond + 1; second <= now; second++) {
    beat(connections.filter((connection) => isDue(connection, second)));
    if (second % CHECK_EVERY_SECONDS === 0) void applyAllSessions();
  }
  lastSecond = now;
  if (performance.now() - checkedAt <= MAX_UNCHECKED_MS) return;
  for (const connection of allConnections()) endConnection(connection, retryText());
}

/** Each connection has its own second of the thirty, which spreads the writes. */
function isDue(connection: LiveConnection, second: number): boolean {
  return second > connection.second && (second - connection.second) % HEARTBEAT_SECONDS === 0;
}

async function applyAllSessions(): Promise<void> {
  if (isChecking) return;
  isChecking = true;
  try {
    const startedAt = performance.now();
    const connections = allConnections();
    const subscribed = connections.filter(({ isSubscribed }) => isSubscribed);
    if (await applySessions(connections)) checkedAt = startedAt;
    // Nothing announces an end by the clock.
    for (const connection of subscribed) if (!connection.isSubscribed) send(connection, { kind: "access" });
  } finally {
    isChecking = false;
  }
}

/** False when the database did not answer. */
async function applySessions(connections: LiveConnection[]): Promise<boolean> {
  if (connections.length === 0) return true;
  try {
    const open = await listOpenSessions(connections.map(({ sessionId }) => sessionId));
    for (const connection of connections) {
      const session = open.get(connection.sessionId);
      if (session) {
        connection.isSubscribed = session.isSubscribed;
        connection.mayEdit = hasRight({ user: session }, "media.edit");
      } else endConnection(connection, endEvent("ended"));
    }
    return true;
  } catch (error) {
    log.warn({ err: error }, "sessions of live connections not checked");
    return false;
  }
}
