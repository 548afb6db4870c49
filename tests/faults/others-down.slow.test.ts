import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { startStripeStandIn } from "#demo/stripe/stand-in.ts";
import { createVideo } from "#tests/support/media.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { expectFigures } from "./support/figures.ts";
import { createMixedLoad, MIXED_LOAD_ENV } from "./support/mixed-load.ts";
import { queueMail } from "./support/queue-mail.ts";
import { startSlowMailServer } from "./support/slow-mail-server.ts";
import { reportFailures, startLoad } from "./support/steady-load.ts";
import { startSupervised } from "./support/supervised-site.ts";

const DOWN_MS = 5_000;
const REQUESTS_PER_SECOND = 5;
const MAILS = 6;
/** The queue's pauses grow, so what has failed several times waits longer: e⁴ s is the fourth of them. */
const WAITING_DONE_MS = 90_000;

const mailPort = await findTestPort();
const providerPort = await findTestPort();
const admin = postgres(process.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
afterAll(() => admin.end());

test("while the mail server and the payment provider are down the pages work, and nothing is lost", async () => {
  // With a video, no demo catalog is loaded.
  await createVideo({ access: "free" });
  const site = await startSupervised({
    ...MIXED_LOAD_ENV,
    DATABASE_URL: config.database.url,
    WEB_PROCESSES: "1",
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    STRIPE_API_URL: `http://127.0.0.1:${providerPort}`,
  });
  const next = await createMixedLoad();
  const load = startLoad(site.origin, { perSecond: REQUESTS_PER_SECOND, next });
  for (let count = 0; count < MAILS; count += 1) await queueMail(`waiting-${count}@example.com`);
  await sleep(DOWN_MS);
  // On a busy machine the load's first event may be stored later than that.
  await expect.poll(async () => (await countEvents()).events, SOON).toBeGreaterThan(0);
  const down = await countEvents();

  const mailServer = await startSlowMailServer(0, mailPort);
  const provider = await startStripeStandIn({
    port: providerPort,
    secretKey: MIXED_LOAD_ENV.STRIPE_SECRET_KEY,
    seed: true,
  });
  const backAt = Date.now();
  await queueMail("fresh@example.com");
  await expect.poll(() => mailServer.taken.has("fresh@example.com"), SOON).toBe(true);
  const mailMs = Date.now() - backAt;
  await expect.poll(() => firstEffectMs(backAt), SOON).not.toBeNull();
  const eventMs = (await firstEffectMs(backAt)) ?? Number.NaN;
  const answers = await load.stop();
  await expect.poll(countWaiting, SOON).toBe(0);
  const waitingMs = Date.now() - backAt;
  site.process.kill("SIGTERM");
  expect(await site.ended()).toBe(0);
  mailServer.stop();
  await provider.stop();

  const sent = [...mailServer.taken.values()];
  expectFigures({
    answers: { is: answers.length, atLeast: (REQUESTS_PER_SECOND * DOWN_MS) / 1_000 },
    failedAnswers: { is: reportFailures(answers), exactly: 0 },
    eventsWhileDown: { is: down.events, atLeast: 1 },
    processedWhileDown: { is: down.processed, exactly: 0 },
    mails: { is: sent.length, exactly: MAILS + 1 },
    sentTwice: { is: sent.filter(({ length }) => length > 1).length, exactly: 0 },
    newMailMs: { is: mailMs, atMost: WAITING_DONE_MS },
    newEventMs: { is: eventMs, atMost: WAITING_DONE_MS },
    allDoneMs: { is: waitingMs, atMost: WAITING_DONE_MS },
  });
}, 300_000);

const SOON = { timeout: WAITING_DONE_MS, interval: 50 };

async function countEvents(): Promise<{ events: number; processed: number }> {
  const [row] = await admin<{ events: number; processed: number }[]>`
    SELECT count(*)::int AS events, count(processed_at)::int AS processed FROM billing_events`;
  return row ?? { events: Number.NaN, processed: Number.NaN };
}

/** From the return of the provider to the first event that had its effect after it; null while there is none. */
async function firstEffectMs(backAt: number): Promise<number | null> {
  const [row] = await admin<{ ms: number | null }[]>`
    SELECT extract(epoch FROM min(processed_at) - ${new Date(backAt)}::timestamptz)::float8 * 1000 AS ms
    FROM billing_events`;
  return row?.ms ?? null;
}

/** Emails and events that have had no effect yet. */
async function countWaiting(): Promise<number> {
  const [row] = await admin<{ count: number }[]>`
    SELECT (SELECT count(*) FROM mail_outbox WHERE kind = 'test' AND sent_at IS NULL)::int
      + (SELECT count(*) FROM billing_events WHERE processed_at IS NULL)::int AS count`;
  return row?.count ?? Number.NaN;
}
