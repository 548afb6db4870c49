import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { backUp } from "./back-up.server.ts";

const NAME = /^peony-\d{8}T\d{6}Z\.tar$/;
export function isNightlyBackup(name: string): boolean {
  return NAME.test(name);
}

const UNFINISHED = /^peony-\d{8}T\d{6}Z\.tar\.part$/;

/** Without the media files, whose copies are made as they are added. Returns null when the host wants none. */
export async function makeNightlyBackup(): Promise<{ rows: number; missingFiles: number } | null> {
  const { dir, keep } = config.backup;
  if (dir === null || config.database.url === undefined) return null;
  await removeAll(dir, await namesOf(dir, UNFINISHED));
  const [row] = await db.execute<{ time: string }>(
    sql`SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD"T"HH24MISS"Z"') AS time`,
  );
  const { tables, missingFiles } = await backUp(config.database.url, join(dir, `peony-${row?.time}.tar`), {
    hasMedia: false,
  });
  await removeAll(dir, (await namesOf(dir, NAME)).sort().slice(0, -keep));
  return { rows: Object.values(tables).reduce((sum, { rows }) => sum + rows, 0), missingFiles };
}

async function namesOf(dir: string, pattern: RegExp): Promise<string[]> {
  return (await readdir(dir)).filter((name) => pattern.test(name));
}

async function removeAll(dir: string, names: string[]): Promise<void> {
  for (const name of names) await rm(join(dir, name), { force: true });
}
