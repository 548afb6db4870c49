// Needed because cached decisions and open live connections have to end with the access: decisions 101 and 106.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import pg from "pg";
import { config } from "#app/config.server.ts";
import { pgOptions } from "#db/adapter/driver-options.ts";
import { db } from "#db/client.server.ts";

/**
 * "user <id>": their sessions, role or subscriptions have changed. "media <id>": what decides who may see it has changed.
 * "site <name>": a setting of the site has changed.
 */
export type Subject = `user ${string}` | `media ${string}` | `site ${string}`;

/** Triggers announce here that somebody's access may have changed: decision 101. */
const ACCESS_CHANNEL = "peony_changes";
/** Progress and favorites have their own channel, because they must not clear a member's cached decisions. */
export const LIVE_CHANNEL = "peony_live";
/** A listener greets itself here. */
const HELLO_CHANNEL = "peony_hello";
const HEARD_WITHIN_MS = 10_000;
/** One announcement may be late. */
const HELLO_TRIES = 2;
const CONNECT_WITHIN_MS = 5_000;
const RETRY_MS = 2_000;
/** Longer than any decision is cached. */
const ANNOUNCED_FOR_MS = 30_000;
const MAX_SUBJECTS = 100_000;

const announcedAt = new LRUCache<Subject, number>({ max: MAX_SUBJECTS, ttl: ANNOUNCED_FOR_MS });
let listeningSince: number | null = null;
let isStarted = false;
const listeners = new Set<Listener>();

interface Listener {
  onSubject: (subject: Subject) => void;
  onLive: (payload: string) => void;
  /** Listening has begun, perhaps again: announcements before that may have been missed. */
  onBeginning: () => void;
}

export function listenToAnnouncements(listener: Listener): void {
  listeners.add(listener);
  startListening();
}

/** False also while nobody listens. `fetchedAt` is by performance.now(). */
export function isUnchangedSince(fetchedAt: number, subjects: Subject[]): boolean {
  startListening();
  if (listeningSince === null || listeningSince > fetchedAt) return false;
  return subjects.every((subject) => (announcedAt.get(subject) ?? 0) < fetchedAt);
}

function startListening(): void {
  if (isStarted) return;
  isStarted = true;
  void listen();
}

function receive(channel: string, payload: string): void {
  if (channel === LIVE_CHANNEL) for (const { onLive } of listeners) onLive(payload);
  else if (channel === ACCESS_CHANNEL) receiveSubject(payload as Subject);
}

function receiveSubject(subject: Subject): void {
  announcedAt.set(subject, performance.now());
  for (const { onSubject } of listeners) onSubject(subject);
}

/** Listens on a connection of its own: those of the pool end at the deadline of a statement. */
async function listen(): Promise<never> {
  for (;;) {
    await listenUntilEnd().catch(() => {});
    listeningSince = null;
    await sleep(RETRY_MS, undefined, { ref: false });
  }
}

async function listenUntilEnd(): Promise<void> {
  const client = await newClient(config.database.directUrl ?? "");
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  client.on("notification", ({ channel, payload }) => receive(channel, payload ?? ""));
  try {
    await client.connect();
    await client.query(`LISTEN ${LIVE_CHANNEL}`);
    await client.query(`LISTEN ${ACCESS_CHANNEL}`);
    const heard = hears(client, (hello) => db.execute(sql`SELECT pg_notify(${HELLO_CHANNEL}, ${hello})`));
    if (!(await Promise.race([heard, ended]))) return;
    listeningSince = performance.now();
    for (const { onBeginning } of listeners) onBeginning();
    await ended;
  } finally {
    client.end().catch(() => {});
  }
}

/** False behind a pooler: LISTEN succeeds there, and nothing arrives. */
export async function hearsAnnouncements(url: string): Promise<boolean> {
  const [listener, other] = [await newClient(url), await newClient(url)];
  try {
    await Promise.all([listener.connect(), other.connect()]);
    return await hears(listener, (hello) => other.query("SELECT pg_notify($1, $2)", [HELLO_CHANNEL, hello]));
  } finally {
    for (const client of [listener, other]) client.end().catch(() => {});
  }
}

/** `say` needs another connection: even a pooler passes on what belongs to the same one. */
async function hears(client: pg.Client, say: (hello: string) => Promise<unknown>): Promise<boolean> {
  const hello = randomUUID();
  await client.query(`LISTEN ${HELLO_CHANNEL}`);
  const heard = new Promise<boolean>((resolve) => {
    client.on("notification", ({ payload }) => payload === hello && resolve(true));
  });
  for (let left = HELLO_TRIES; left > 0; left -= 1) {
    await say(hello);
    if (await Promise.race([heard, sleep(HEARD_WITHIN_MS, false, { ref: false })])) return true;
  }
  return false;
}

async function newClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...(await pgOptions(url)),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
  });
  // An error without a handler would end the process. The connection's end follows and is enough.
  client.on("error", () => {});
  return client;
}
