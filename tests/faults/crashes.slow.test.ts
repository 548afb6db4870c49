import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { createVideo } from "#tests/support/media.ts";
import { processorMs } from "#tests/support/process/process-figures.ts";
import { descendants } from "#tests/support/process/process-tree.ts";
import { countLost, startWriting } from "./support/favorite-writers.ts";
import { expectFigures } from "./support/figures.ts";
import { queueMail } from "./support/queue-mail.ts";
import { startSlowMailServer } from "./support/slow-mail-server.ts";
import { type SupervisedSite, startSupervised } from "./support/supervised-site.ts";

/** Few rounds for each start of the site, because the delays of restarts grow. */
const ROUNDS = ["web", "worker"] as const;
const STARTS = 1;
const PROGRAM = {
  web: "remix-run/serve/dist/cli.js",
  primary: "scripts/web.js",
  worker: "scripts/worker.js",
};
const MAILS_PER_ROUND = 6;
/** The worker sends this many emails at once. */
const MAILS_AT_ONCE = 3;
const MAIL_MS = 150;
const KILL_WITHIN_MS = 600;
const MAX_START_MS = 3_000;
/** An email is sent again by the next worker, which takes longer than this to start. */
const RESENT_AFTER_MS = 300;
/** How long the supervisor waits for a start. */
const MAX_WAIT_MS = 30_000;
const MAX_LEASE_MS = 60_000;

const admin = postgres(process.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
const mailServer = await startSlowMailServer(MAIL_MS);
const workerKills: number[] = [];
let mails = 0;
const acknowledged: { userId: string; mediaId: string }[] = [];

beforeAll(async () => {
  await createVideo({ access: "free" });
});
afterAll(async () => {
  mailServer.stop();
  await admin.end();
});

test("after each crash the site soon serves again, no job is lost, and nothing is done twice", async () => {
  const starts: { afterMs: number; downMs: number; processorMs: number }[] = [];
  let leaseMs = 0;
  let longestAnswerMs = 0;
  for (let start = 0; start < STARTS; start += 1) {
    const site = await startSupervised({
      DATABASE_URL: config.database.url,
      WEB_PROCESSES: "1",
      SMTP_URL: mailServer.url,
    });
    const load = startWriting(site.origin, acknowledged);
    for (const round of ROUNDS) {
      await queueMails();
      await sleep(Math.random() * KILL_WITHIN_MS);
      starts.push(await crash(site, round));
    }
    const lastKillAt = Date.now();
    const unfinished = async () =>
      (await admin`SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'send-mail'`).length;
    await expect.poll(unfinished, { timeout: MAX_LEASE_MS }).toBe(0);
    leaseMs = Math.max(leaseMs, Date.now() - lastKillAt);
    longestAnswerMs = Math.max(longestAnswerMs, await load.stop());
    site.process.kill("SIGTERM");
    expect(await site.ended()).toBe(0);
  }

  const sent = [...mailServer.taken.values()];
  const [stored] = await admin`
    SELECT count(*)::int AS unsent FROM mail_outbox WHERE kind = 'test' AND sent_at IS NULL`;
  expectFigures({
    crashes: { is: starts.length, exactly: STARTS * ROUNDS.length },
    mails: { is: sent.length, exactly: mails },
    lostMails: { is: stored?.unsent, exactly: 0 },
    // An email that was accepted just before the crash is sent again, at most those that were on their way.
    sentTwice: {
      is: sent.filter(({ length }) => length > 1).length,
      atMost: workerKills.length * MAILS_AT_ONCE,
    },
    sentAgainWithoutCrash: { is: sent.flatMap(sentAgainWithoutCrash).length, exactly: 0 },
    acknowledgedWrites: { is: acknowledged.length, atLeast: starts.length },
    lostWrites: { is: await countLost(process.env.DATABASE_URL ?? "", acknowledged), exactly: 0 },
    longestStartProcessorMs: { is: Math.max(...starts.map((one) => one.processorMs)), atMost: MAX_START_MS },
    longestStartMs: {
      is: Math.max(...starts.map((one) => one.afterMs)),
      atMost: MAX_WAIT_MS,
    },
    // The delay before a restart is a part of it.
    longestDownMs: {
      is: Math.max(...starts.map((one) => one.downMs)),
      atMost: 2 * MAX_WAIT_MS,
    },
    // Includes the time until another process serves.
    longestAnswerMs: { is: longestAnswerMs, atMost: 2 * MAX_WAIT_MS },
    leasesFreeAfterMs: { is: leaseMs, atMost: MAX_LEASE_MS },
  });
}, 1_200_000);

/** Kills the program. Resolves once another one serves, to the time beyond the announced delay. */
async function crash(site: SupervisedSite, what: keyof typeof PROGRAM) {
  const find = () =>
    descendants(site.process.pid ?? 0).filter(({ command }) => command.includes(PROGRAM[what]));
  const [victim] = find();
  const before = site.output().length;
  const killedAt = Date.now();
  process.kill(victim?.pid ?? 0, "SIGKILL");
  if (what === "worker") workerKills.push(killedAt);
  const said = () => site.output().slice(before);
  const serves =
    what === "worker"
      ? async () => said().split("Worker connected").length > 2
      : async () => (await fetch(`${site.origin}/healthz`).catch(() => null))?.ok === true;
  await expect.poll(said, { timeout: MAX_WAIT_MS, interval: 10 }).toMatch(/in \d+ ms/);
  await expect.poll(serves, { timeout: MAX_WAIT_MS, interval: 10 }).toBe(true);
  const servedAt = Date.now();
  const delayMs = Number(/in (\d+) ms/.exec(said())?.[1]);
  const started = find().filter(({ pid }) => pid !== victim?.pid);
  return {
    afterMs: servedAt - killedAt - delayMs,
    downMs: servedAt - killedAt,
    processorMs: Math.max(...started.map(({ pid }) => processorMs(pid))),
  };
}

/** The times at which an email arrived again although no worker was killed since it had arrived before. */
function sentAgainWithoutCrash(times: number[]): number[] {
  return times.filter((time, index) => {
    const before = times[index - 1];
    if (before === undefined) return false;
    // The last bytes of a killed worker may be read a little later.
    return !workerKills.some((killedAt) => before < killedAt + RESENT_AFTER_MS && killedAt < time);
  });
}

async function queueMails(): Promise<void> {
  for (let count = 0; count < MAILS_PER_ROUND; count += 1) {
    mails += 1;
    await queueMail(`reader-${mails}@example.com`);
  }
}
