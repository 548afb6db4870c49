import { test } from "@playwright/test";
import postgres from "postgres";
import { databaseAddress } from "./database.ts";
import { type BrowserSite, ownSite } from "./sites.ts";

/** An advisory lock in the database of each site. The site uses other numbers. */
const SHARED_SITE = 495_001;
/** A test on another worker's site may last so long. */
const WAIT_MS = 6 * 60_000;

/** Runs what disturbs everybody on this test's own site while no test of another worker is on it. */
export async function alone(run: () => Promise<void>): Promise<void> {
  const end = await lock(ownSite(), (sql) => sql`SELECT pg_advisory_lock(${SHARED_SITE})`);
  try {
    await run();
  } finally {
    await end();
  }
}

/** Nobody is alone on the site until the returned function is called. */
export function share(site: BrowserSite): Promise<() => Promise<void>> {
  return lock(site, (sql) => sql`SELECT pg_advisory_lock_shared(${SHARED_SITE})`);
}

/** The lock ends with its connection. */
async function lock(
  site: BrowserSite,
  take: (sql: postgres.Sql) => Promise<unknown>,
): Promise<() => Promise<void>> {
  test.setTimeout(test.info().timeout + WAIT_MS);
  const sql = postgres(await databaseAddress(site), { max: 1 });
  try {
    await take(sql);
  } catch (error) {
    await sql.end();
    throw error;
  }
  return () => sql.end();
}
