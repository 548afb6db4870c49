import { randomBytes } from "node:crypto";
import { once } from "node:events";
import postgres, { type Sql } from "postgres";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { findFreePort, startEmbedded } from "#db/server/embedded.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { descendants } from "#tests/support/process/process-tree.ts";
import { copyVideos } from "./catalogue.ts";
import { openFolder, removeFolder } from "./endings.ts";
import type { Subscriber } from "./people.ts";
import { end, start, untilReady } from "./programs.ts";

/**
 * So many that nobody returns within the seconds for which a site may remember a session: on a real site the next
 * page belongs to somebody else too.
 */
const SUBSCRIBERS = 2_000;

type Settings = Record<string, string>;

/** The demo catalog in a database that writes to disk, and people who look at it. */
export interface Library {
  folder: string;
  databaseUrl: string;
  sql: Sql;
  subscribers: Subscriber[];
  /** The Cookie header of a signed-out visitor past the age gate. */
  visitor: string;
  env(settings?: Settings): NodeJS.ProcessEnv;
  close(): Promise<void>;
}

export async function openLibrary(): Promise<Library> {
  await buildWhenStale();
  const folder = await openFolder();
  const database = await startEmbedded(folder);
  const close = async () => {
    await database.stop();
    await removeFolder(folder);
  };
  try {
    await migrateDatabase(database.adminUrl);
    const settings = {
      NODE_ENV: "production" as const,
      PATH: process.env.PATH,
      HOST: "127.0.0.1",
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      SESSION_SECRET: randomBytes(32).toString("hex"),
      // Searches are counted by network address, and each comes from another one.
      TRUST_PROXY: "1",
      // A busy computer makes the figures worse, but fails no request.
      DATABASE_TIMEOUT_MS: "30000",
    };
    const env = (more: Settings = {}) => ({ ...settings, ...more });
    await run(["build/scripts/seed-demo.js"], env());
    const sql = postgres(database.adminUrl, { max: 1, onnotice: () => {} });
    await copyVideos(sql);
    // The configuration reads the environment when it is imported.
    Object.assign(process.env, settings);
    const { addSubscribers, adultCookie } = await import("./people.ts");
    const subscribers = await addSubscribers(sql, SUBSCRIBERS);
    await sql`VACUUM (ANALYZE)`;
    const visitor = await adultCookie();
    return {
      ...{ folder, databaseUrl: database.url, sql, subscribers, visitor, env },
      async close() {
        await sql.end();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface RunningSite {
  origin: string;
  /** The web processes, without the primary. */
  pids: number[];
  primaryPid: number;
  stop(): Promise<void>;
}

/** Starts the web processes as `npm start` does. */
export async function startWeb(
  library: Pick<Library, "env">,
  { processes = 1, env = {} }: { processes?: number; env?: Settings } = {},
): Promise<RunningSite> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const settings = library.env({ PORT: String(port), WEB_PROCESSES: String(processes), ...env });
  const child = start(["build/scripts/web.js"], settings);
  await untilReady(`${origin}/healthz`);
  const primaryPid = child.pid ?? 0;
  return { origin, primaryPid, pids: descendants(primaryPid).map(({ pid }) => pid), stop: () => end(child) };
}

async function run(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const [code] = await once(start(args, env), "exit");
  if (code !== 0) throw new Error(`${args[0]} failed`);
}
