// Needed because cached decisions and open live connections have to end with the access: decisions 101 and 106.
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import pg from "pg";
import { config } from "#app/config.server.ts";
import { pgOptions } from "#db/adapter/driver-options.ts";

/** "user <id>": their sessions, role or subscriptions have changed. "media <id>": what decides who may see it has changed. */
export type Subject = `user ${string}` | `media ${string}`;

/** Triggers announce here that somebody's access may have changed: decision 101. */
const CHANNEL = "peony_changes";
/** Progress and favorites have their own channel, because they must not clear a member's cached decisions. */
export const LIVE_CHANNEL = "peony_live";
const CONNECT_WITHIN_MS = 5_000;
const RETRY_MS = 2_000;
/** Longer than any decision is cached. */
const KEPT_MS = 30_000;
const MAX_SUBJECTS = 100_000;

const announcedAt = new LRUCache<string, number>({ max: MAX_SUBJECTS, ttl: KEPT_MS });
/** When listening began; null while not listening. */
let heardSince: number | null = null;
let isStarted = false;
const hearers = new Set<Hearer>();

interface Hearer {
  /** "user <id>" and "media <id>", and the payloads of live announcements. */
  heard: (payload: string) => void;
  /** Listening has begun, perhaps again: announcements before that may have been missed. */
  gapEnded: () => void;
}

export function hearAnnouncements(hearer: Hearer): void {
  hearers.add(hearer);
  startListening();
}

/** False also while nobody listens. `fetchedAt` is by performance.now(). */
export function isUnchangedSince(fetchedAt: number, subjects: Subject[]): boolean {
  startListening();
  if (heardSince === null || heardSince > fetchedAt) return false;
  return subjects.every((subject) => (announcedAt.get(subject) ?? 0) < fetchedAt);
}

function startListening(): void {
  if (isStarted) return;
  isStarted = true;
  void listen();
}

function hear(channel: string, payload: string): void {
  if (channel === CHANNEL) announcedAt.set(payload, performance.now());
  for (const { heard } of hearers) heard(payload);
}

/** Listens on a connection of its own: those of the pool end at the deadline of a statement. */
async function listen(): Promise<never> {
  for (;;) {
    await hearUntilEnd().catch(() => {});
    heardSince = null;
    await sleep(RETRY_MS, undefined, { ref: false });
  }
}

async function hearUntilEnd(): Promise<void> {
  const client = new pg.Client({
    ...(await pgOptions(config.database.url ?? "")),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
  });
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  // An error without a handler would end the process. The connection's end follows and is enough.
  client.on("error", () => {});
  client.on("notification", ({ channel, payload }) => hear(channel, payload ?? ""));
  try {
    await client.connect();
    await client.query(`LISTEN ${LIVE_CHANNEL}`);
    await client.query(`LISTEN ${CHANNEL}`);
    heardSince = performance.now();
    for (const { gapEnded } of hearers) gapEnded();
    await ended;
  } finally {
    client.end().catch(() => {});
  }
}
