import { sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { countUncollected } from "#app/domain/billing/subscriptions/subscription-state.server.ts";
import { countProblems } from "#app/domain/catalog/edit/item/problems.server.ts";
import { readOriginalTotals } from "#app/domain/catalog/originals/originals.server.ts";
import { oldestOf, readQueue } from "#app/domain/jobs/queue.server.ts";
import { hasOwner } from "#app/domain/staff/roles.server.ts";
import { isZoneOfDatabase } from "#app/domain/totals/daily-totals.server.ts";
import { sizeText } from "#app/sizes.ts";
import { db } from "#db/client.server.ts";
import { withConnection } from "#db/connection.ts";
import { findSchemaProblem, listMigrations } from "#db/migrations/schema-state.ts";
import { explain } from "../command/explain.ts";
import { type Check, fix, ok } from "./check.ts";
import { assessVersion } from "./server-version.ts";

const MAX_CLOCK_SECONDS = 5;
const MAX_QUEUE_SECONDS = 300;

/** Returns only the first check when the database cannot be reached, because the others would fail for the same reason. */
export async function databaseChecks(url: string): Promise<Check[]> {
  const problem = await withConnection(url, (client) => client`SELECT 1`).then(() => null, explain);
  if (problem !== null) return [{ name: "database", run: async () => fix(problem), onFailure: problem }];
  return [
    {
      name: "database",
      run: checkSettings,
      onFailure: "The database does not answer: start it, and see its log",
    },
    {
      name: "PostgreSQL",
      run: checkVersion,
      onFailure: "The database does not say its version: see its log",
    },
    {
      name: "migrations",
      run: () => checkMigrations(url),
      onFailure: "The migrations cannot be read: give DATABASE_URL a user who may",
    },
    {
      name: "clock",
      run: checkClock,
      onFailure: "The database's time cannot be read",
    },
    {
      name: "time zone",
      run: checkTimeZone,
      onFailure: "The database's time zones cannot be read",
    },
    {
      name: "jobs",
      run: checkQueue,
      onFailure: "The queue cannot be read: start the site once, which makes it",
    },
    {
      name: "subscriptions",
      run: checkSubscriptions,
      onFailure: "The subscriptions cannot be read",
      needs: "migrations",
    },
    {
      name: "originals",
      run: checkOriginals,
      onFailure: "The originals cannot be counted",
      needs: "migrations",
    },
    {
      name: "encoding",
      run: checkEncoding,
      onFailure: "The videos whose files could not be made cannot be counted",
      needs: "migrations",
    },
    {
      name: "owner",
      run: checkOwner,
      onFailure: "The people who work here cannot be read",
      needs: "migrations",
    },
  ];
}

/** Not wrong by itself: a host may give time away. Only the payment provider can end it. */
async function checkSubscriptions() {
  const { all, endless } = await countUncollected();
  if (all === 0) return ok("none is open while its payments are paused");
  const end = endless === 0 ? "" : `, ${endless} of them without an end`;
  return ok(
    `${all} ${all === 1 ? "is" : "are"} open while payments are paused at the provider${end}: npm run billing:reconcile names each`,
  );
}

/** Never wrong by itself: the checks of the disks say when they take too much. */
async function checkOriginals() {
  const { files, bytes } = await readOriginalTotals();
  const kept = files === 0 ? "none is kept" : `${files} ${files === 1 ? "takes" : "take"} ${sizeText(bytes)}`;
  return ok(config.media.keepsOriginals ? kept : `${kept}, and KEEP_ORIGINALS=off keeps no more`);
}

async function checkEncoding() {
  const { encodingFailed } = await countProblems();
  if (encodingFailed === 0) return ok("no video has files that could not be made");
  const videos = encodingFailed === 1 ? "one video" : `${encodingFailed} videos`;
  return fix(
    `Files of ${videos} could not be made: the first page of the studio leads to them, and each has the last messages and "Try again"`,
  );
}

async function checkOwner() {
  if (await hasOwner()) return ok("the site has one");
  if (config.isDemo) return ok("none yet: the demo catalogue brings one");
  const then = "sign in with it. Or run npm run people:role -- <mail address> owner";
  if (config.ownerEmail !== null)
    return fix(`Nobody owns the site yet: take the address of OWNER_EMAIL and ${then}`);
  return fix(`Nobody owns the site, so nobody can change it: set OWNER_EMAIL to your address and ${then}`);
}

async function checkMigrations(url: string) {
  const problem = await withConnection(url, findSchemaProblem);
  if (problem !== null) return fix(problem);
  const migrations = await listMigrations(url);
  const missing = migrations.filter(({ isApplied }) => !isApplied);
  if (missing.length > 0) {
    return fix(`${missing.length} are missing: run npm run db:migrate, or start the site`);
  }
  const newer = migrations.filter(({ isNewer }) => isNewer).map(({ name }) => name);
  if (newer.length === 0) return ok("all are applied");
  return ok(`all are applied, and those of a newer version with which this one works: ${newer.join(", ")}`);
}

async function checkSettings() {
  const [row] = await db.execute<Record<"encoding" | "fsync" | "pages" | "commit", string>>(sql`
    SELECT current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS pages, current_setting('synchronous_commit') AS commit`);
  if (!row) return fix("The database says nothing about itself");
  if (row.encoding !== "UTF8")
    return fix(`The encoding is ${row.encoding}: make the database anew with UTF8`);
  const unsafe = [
    ...(row.fsync === "off" ? ["fsync"] : []),
    ...(row.pages === "off" ? ["full_page_writes"] : []),
    ...(row.commit === "off" ? ["synchronous_commit"] : []),
  ];
  if (unsafe.length > 0) return fix(`A power cut would lose payments: turn ${unsafe.join(" and ")} on`);
  return ok("its encoding is UTF8, and a power cut loses no payment");
}

async function checkVersion() {
  const [row] = await db.execute<{ version: string }>(
    sql`SELECT current_setting('server_version') AS version`,
  );
  return assessVersion(row?.version ?? "", config.isDemo);
}

async function checkClock() {
  const before = Date.now();
  const [row] = await db.execute<{ ms: number }>(
    sql`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`,
  );
  const seconds = Math.abs((row?.ms ?? 0) - (before + Date.now()) / 2) / 1000;
  if (seconds <= MAX_CLOCK_SECONDS) return ok("agrees with the database's");
  return fix(
    `This machine and the database differ by ${seconds.toFixed(0)} s: let both follow a time server (NTP)`,
  );
}

async function checkTimeZone() {
  const { timeZone } = config;
  if (await isZoneOfDatabase(db, timeZone)) return ok(`the database knows ${timeZone}, too`);
  return fix(
    `The database does not know ${timeZone}, so no account can be deleted: set TIME_ZONE to another name of that zone`,
  );
}

async function checkQueue() {
  const queue = await readQueue();
  const seconds = oldestOf(queue);
  const failed = queue.reduce((sum, job) => sum + job.failed, 0);
  if (seconds !== null && seconds > MAX_QUEUE_SECONDS) {
    return fix(
      `A job has waited for ${Math.round(seconds / 60)} minutes: see that the site runs, and what its worker logs`,
    );
  }
  if (failed > 0)
    return fix(`${failed} jobs have failed for good: look for "job failed" in the log, then mend the cause`);
  return ok(seconds === null ? "none is waiting" : `the oldest waits for ${seconds.toFixed(0)} s`);
}
