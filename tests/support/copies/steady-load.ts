import { Agent, request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { createMember, signedInCookie, subscribe } from "../people.ts";

const READERS = 12;
const PAUSE_MS = 250;

interface Exchange {
  method: "GET" | "POST";
  path: string;
  startedAt: number;
  endedAt: number;
  /** 0 without a whole answer. */
  status: number;
}

export interface SteadyLoad {
  exchanges: Exchange[];
  /** Adds a path that every reader asks for from now on. */
  also(path: string): void;
  /** Resolves when the readers have finished what they asked for. */
  end(): Promise<void>;
  /** Readers whose stored progress is older than the last that was acknowledged to them. */
  lostWrites(): Promise<number>;
}

/**
 * Twelve subscribers who look at pages of theirs and at a photo and save their progress, each one thing after the other on a
 * connection that stays open. About forty requests a second.
 */
export async function startLoad(port: number, mediaId: string, photo: string): Promise<SteadyLoad> {
  const exchanges: Exchange[] = [];
  const acknowledged = new Map<string, number>();
  const paths = ["/user/favorites", "/content/video", photo];
  const readers = await Promise.all(
    Array.from({ length: READERS }, async () => {
      const { id } = await createMember();
      await subscribe(id);
      return { id, cookie: await signedInCookie(id), agent: new Agent({ keepAlive: true, maxSockets: 1 }) };
    }),
  );
  let isOver = false;

  async function exchange(reader: (typeof readers)[number], path: string, body?: string): Promise<boolean> {
    const method = body === undefined ? "GET" : "POST";
    const startedAt = performance.now();
    const status = await statusOf({ port, agent: reader.agent, method, path, cookie: reader.cookie, body });
    exchanges.push({ method, path, startedAt, endedAt: performance.now(), status });
    return status === 200;
  }

  const running = readers.map(async (reader, index) => {
    await sleep((index * PAUSE_MS * 4) / READERS);
    for (let progress = 1; !isOver; progress += 1) {
      for (const path of paths) {
        await exchange(reader, path);
        await sleep(PAUSE_MS);
      }
      const saved = new URLSearchParams({ mediaId, progress: String(progress), sequence: String(progress) });
      if (await exchange(reader, "/api/views", saved.toString())) acknowledged.set(reader.id, progress);
      await sleep(PAUSE_MS);
    }
  });
  return {
    exchanges,
    also: (path) => void paths.push(path),
    async end() {
      isOver = true;
      await Promise.all(running);
      for (const { agent } of readers) agent.destroy();
    },
    async lostWrites() {
      const rows = await db.execute<{ user_id: string; progress: number }>(
        sql`SELECT user_id, progress::float FROM views WHERE media_id = ${mediaId}`,
      );
      const stored = new Map(rows.map((row) => [row.user_id, row.progress]));
      return [...acknowledged].filter(([id, progress]) => (stored.get(id) ?? 0) < progress).length;
    },
  };
}

interface Sent {
  port: number;
  agent: Agent;
  method: string;
  path: string;
  cookie: string;
  body: string | undefined;
}

function statusOf({ port, agent, method, path, cookie, body }: Sent): Promise<number> {
  const form = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
  const headers = { cookie, ...(body === undefined ? {} : form) };
  return new Promise((resolve) => {
    const sent = httpRequest({ host: "127.0.0.1", port, agent, method, path, headers }, (answer) => {
      answer.resume();
      answer.once("close", () => resolve(answer.complete ? (answer.statusCode ?? 0) : 0));
    });
    sent.once("error", () => resolve(0));
    sent.end(body);
  });
}
