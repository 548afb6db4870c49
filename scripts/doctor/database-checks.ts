import { sql } from "drizzle-orm";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { count } from "#app/counts.ts";
import { addDays, formatShortDate, toZoneTime } from "#app/dates.ts";
import { hearsAnnouncements } from "#app/domain/announcements/listen.server.ts";
import { listUnofferedPrices, MAX_PLANS } from "#app/domain/billing/offers/plans.server.ts";
import { listRefundable } from "#app/domain/billing/subscriptions/refundable-invoices.server.ts";
import { countUncollected } from "#app/domain/billing/subscriptions/subscription-state.server.ts";
import { countProblems } from "#app/domain/catalog/edit/problems/problems.server.ts";
import { readOriginalTotals } from "#app/domain/catalog/originals/originals.server.ts";
import { oldestOf, readQueue } from "#app/domain/jobs/queue.server.ts";
import { loadSite, site } from "#app/domain/site/site.server.ts";
import { hasOwner } from "#app/domain/staff/roles.server.ts";
import { sizeText } from "#app/sizes.ts";
import { db } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { withConnection } from "#db/connection.ts";
import { findSchemaProblem, listMigrations } from "#db/migrations/schema-state.ts";
import { readOne, readRows, text } from "#db/rows.ts";
import { explain } from "../command/explain.ts";
import { checkAddresses } from "../supervisor/check-addresses.ts";
import { UNHEARD } from "../supervisor/pooler.ts";
import { NO_CONTACT_ADDRESS } from "../supervisor/start-warnings.ts";
import { type Check, fix, ok } from "./check.ts";
import { assessVersion } from "./server-version.ts";

const MAX_CLOCK_SECONDS = 5;
const MAX_QUEUE_SECONDS = 300;
const COMPARED_WEEKS = 60;

/** Returns only the first check when the database cannot be reached, because the others would fail for the same reason. */
export async function databaseChecks(url: string): Promise<Check[]> {
  const { url: pagesUrl = url, directUrl = url } = config.database;
  const problem = await checkAddresses(pagesUrl, directUrl).then(() => null, explain);
  if (problem !== null) return [{ name: "database", run: async () => fix(problem), onFailure: problem }];
  return [
    {
      name: "database",
      run: checkSettings,
      onFailure: "The database does not answer: start it, and check its log",
    },
    {
      name: "PostgreSQL",
      run: checkVersion,
      onFailure: "The database's version cannot be read: check its log",
    },
    {
      name: "migrations",
      run: () => checkMigrations(url),
      onFailure: "The migrations cannot be read: use the owner of the database in DATABASE_URL",
    },
    {
      name: "announcements",
      run: async () => ((await hearsAnnouncements(url)) ? ok("arrive") : fix(UNHEARD)),
      // It asks twice, and waits for ten seconds each time.
      withinMs: 40_000,
      onFailure: "The database's announcements cannot be heard",
    },
    {
      name: "clock",
      run: checkClock,
      onFailure: "The database's clock cannot be read",
    },
    {
      name: "time zone",
      run: checkTimeZone,
      onFailure: "The database's time zones cannot be read",
      needs: "migrations",
    },
    {
      name: "jobs",
      run: checkQueue,
      onFailure: "The queue cannot be read: start the site once to create it",
    },
    {
      name: "subscriptions",
      run: checkSubscriptions,
      onFailure: "The subscriptions cannot be read",
      needs: "migrations",
    },
    {
      name: "plans",
      run: checkPlans,
      onFailure: "The prices cannot be read",
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
      onFailure: "Failed encodings cannot be counted",
      needs: "migrations",
    },
    {
      name: "owner",
      run: checkOwner,
      onFailure: "The site's staff cannot be read",
      needs: "migrations",
    },
    {
      name: "contact",
      run: checkContact,
      onFailure: "The site's settings cannot be read",
      needs: "migrations",
    },
  ];
}

/** Access without payments is not wrong by itself: a host may give time away. Only the payment provider can end it. */
async function checkSubscriptions() {
  const refundable = await listRefundable(db);
  if (refundable.length > 0)
    return fix(
      `${count(refundable.length, "invoice")} ${refundable.length === 1 ? "was" : "were"} paid after the subscription had ended: npm run billing:reconcile lists them, and the payment provider's dashboard refunds them`,
    );
  const { all, endless } = await countUncollected();
  if (all === 0) return ok("none has access while its payments are paused");
  const end = endless === 0 ? "" : `, ${endless} of them without an end date`;
  return ok(
    `${all} ${all === 1 ? "has" : "have"} access while payments are paused at the provider${end}: npm run billing:reconcile lists them`,
  );
}

async function checkPlans() {
  const unoffered = await listUnofferedPrices();
  if (unoffered.length === 0) return ok("/subscribe offers every price that is on sale");
  return fix(
    `/subscribe has room for ${MAX_PLANS} prices and leaves out ${unoffered.join(", ")}: archive prices at the payment provider until ${MAX_PLANS} are left`,
  );
}

/** Never wrong by itself: the disk checks say when originals take too much space. */
async function checkOriginals() {
  const { files, bytes } = await readOriginalTotals();
  const kept = files === 0 ? "none are stored" : `${count(files, "file")}, ${sizeText(bytes)}`;
  return ok(config.media.keepsOriginals ? kept : `${kept}; because of KEEP_ORIGINALS=off, no more are added`);
}

async function checkEncoding() {
  const { encodingFailed } = await countProblems();
  if (encodingFailed.items === 0) return ok("no video has failed");
  return fix(
    `${count(encodingFailed.items, "video")} could not be encoded: the studio's first page links to the list, and each item's page has ffmpeg's messages and "Try again"`,
  );
}

async function checkOwner() {
  if (await hasOwner()) return ok("the site has one");
  if (config.isDemo) return ok("none yet: the demo catalog adds one");
  const then = "sign in with it, or run npm run people:role -- <email address> owner";
  if (config.ownerEmail !== null)
    return fix(`The site has no owner yet: use the address in OWNER_EMAIL and ${then}`);
  return fix(`The site has no owner, so nobody can change it: set OWNER_EMAIL to your address and ${then}`);
}

async function checkContact() {
  await loadSite();
  return site.contactEmail === "" ? fix(NO_CONTACT_ADDRESS) : ok("pages and emails name an address");
}

async function checkMigrations(url: string) {
  const problem = await withConnection(url, findSchemaProblem);
  if (problem !== null) return fix(problem);
  const migrations = await listMigrations(url);
  const missing = migrations.filter(({ isApplied }) => !isApplied);
  if (missing.length > 0) {
    return fix(
      `${missing.length} ${missing.length === 1 ? "is" : "are"} missing: run npm run db:migrate, or start the site`,
    );
  }
  const newer = migrations.filter(({ isNewer }) => isNewer).map(({ name }) => name);
  if (newer.length === 0) return ok("all are applied");
  return ok(`all are applied, and so are newer ones that this version works with: ${newer.join(", ")}`);
}

const ServerSettings = z.object({ encoding: text, fsync: text, pages: text, commit: text });

async function checkSettings() {
  const row = await readOne(db, ServerSettings)`
    SELECT current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS pages, current_setting('synchronous_commit') AS commit`;
  if (row.encoding !== "UTF8")
    return fix(`The database's encoding is ${row.encoding}: create the database again with UTF8`);
  const unsafe = [
    ...(row.fsync === "off" ? ["fsync"] : []),
    ...(row.pages === "off" ? ["full_page_writes"] : []),
    ...(row.commit === "off" ? ["synchronous_commit"] : []),
  ];
  if (unsafe.length > 0) return fix(`A power failure would lose payments: turn ${unsafe.join(" and ")} on`);
  return ok("its encoding is UTF8, and a power failure loses no payments");
}

async function checkVersion() {
  return assessVersion(await readOne(db, text)`SELECT current_setting('server_version')`, config.isDemo);
}

async function checkClock() {
  const before = Date.now();
  const time = await readDatabaseTime();
  const seconds = Math.abs(time.getTime() - (before + Date.now()) / 2) / 1000;
  if (seconds <= MAX_CLOCK_SECONDS) return ok("agrees with the database's");
  return fix(
    `This machine's clock and the database's differ by ${seconds.toFixed(0)} s: synchronize both with a time server (NTP)`,
  );
}

/** The days of the site are counted by Node's clocks. The database shows whether these are old. */
async function checkTimeZone() {
  await loadSite();
  const { timeZone } = site;
  const moments = Array.from({ length: COMPARED_WEEKS }, (_, week) => addDays(new Date(), 7 * week));
  const asked = sql.param(`{${moments.map((moment) => moment.toISOString()).join()}}`);
  const theirs = await readRows(db, text)`
    SELECT to_char(moment AT TIME ZONE ${timeZone}::text, 'YYYY-MM-DD"T"HH24:MI')
    FROM unnest(${asked}::timestamptz[]) WITH ORDINALITY AS asked (moment, number) ORDER BY number`.catch(
    () => null,
  );
  if (theirs === null) return ok(`the database does not know ${timeZone}, which changes nothing`);
  const differs = moments.find((moment, week) => toZoneTime(moment, timeZone) !== theirs[week]);
  if (differs === undefined) return ok(`the database has the same times in ${timeZone}`);
  return fix(
    `Node.js and PostgreSQL have different times in ${timeZone} on ${formatShortDate(differs)}, and the site uses those of Node.js: update the site, or the database if its version is older`,
  );
}

async function checkQueue() {
  const queue = await readQueue();
  const seconds = oldestOf(queue);
  const failed = queue.reduce((sum, job) => sum + job.failed, 0);
  if (seconds !== null && seconds > MAX_QUEUE_SECONDS) {
    return fix(
      `A job has waited for ${Math.round(seconds / 60)} minutes: check that the site is running, and read its worker's log`,
    );
  }
  if (failed > 0)
    return fix(
      `${count(failed, "job")} failed, and the site will not try again: look for "job failed" in the log, fix the cause, then run npm run jobs:retry`,
    );
  return ok(seconds === null ? "none are waiting" : `the oldest has waited for ${seconds.toFixed(0)} s`);
}
