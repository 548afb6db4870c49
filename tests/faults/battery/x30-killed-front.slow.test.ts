import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { createVideo } from "#tests/support/media.ts";
import { descendants, stillRunning } from "#tests/support/process/process-tree.ts";
import { countLost, startWriting } from "./support/favorite-writers.ts";
import { expectFigures } from "./support/figures.ts";
import { createMixedLoad, MIXED_LOAD_ENV } from "./support/mixed-load.ts";
import { startLoad } from "./support/steady-load.ts";
import { type SupervisedSite, startSupervised } from "./support/supervised-site.ts";

/** Few for each start of the site, because the delays of restarts grow. */
const KILLS = 1;
const STARTS = 1;
const REQUESTS_PER_SECOND = 5;
const KILL_WITHIN_MS = 600;
/** Beyond the delay before a restart, which the supervisor announces. */
const MAX_START_MS = 30_000;
/** A request that was on its way when nginx was killed has failed before it was back. */
const AROUND_MS = 100;

test("after each kill of nginx the site serves soon, and nothing that it has confirmed is lost", async () => {
  // With a video, no demo catalogue is loaded.
  await createVideo({ access: "free" });
  let next: Awaited<ReturnType<typeof createMixedLoad>> | undefined;
  const confirmed: { userId: string; mediaId: string }[] = [];
  const outages: { from: number; to: number; afterMs: number }[] = [];
  let answered = 0;
  let failedOtherwise = 0;
  let left = 0;
  for (let start = 0; start < STARTS; start += 1) {
    const site = await startSupervised({
      ...MIXED_LOAD_ENV,
      DATABASE_URL: config.database.url,
      HOST: "127.0.0.1",
      WEB_PROCESSES: "1",
      FRONT: "nginx",
    });
    await site.untilPrinted(/ is at https?:/);
    next ??= await createMixedLoad();
    const writing = startWriting(site.origin, confirmed);
    const load = startLoad(site.origin, { perSecond: REQUESTS_PER_SECOND, next });
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(Math.random() * KILL_WITHIN_MS);
      const before = nginxProcesses(site);
      outages.push(await killFront(site));
      left += stillRunning(before).length;
    }
    const confirmedBefore = confirmed.length;
    await expect.poll(() => confirmed.length, { timeout: 60_000 }).toBeGreaterThan(confirmedBefore);
    const answers = await load.stop();
    await writing.stop();
    answered += answers.length;
    failedOtherwise += answers.filter(
      ({ path, status, startedAt, milliseconds }) =>
        (status === 0 || status >= 400) &&
        // A favorite that an outage kept from being marked cannot be removed afterwards.
        !(status === 404 && path === paths.api.favorites()) &&
        !outages.some(({ from, to }) => startedAt < to && startedAt + milliseconds > from - AROUND_MS),
    ).length;
    site.process.kill("SIGTERM");
    expect(await site.ended()).toBe(0);
  }
  expectFigures({
    kills: { is: outages.length, exactly: STARTS * KILLS },
    answers: { is: answered, atLeast: STARTS * KILLS },
    failedOutsideOutages: { is: failedOtherwise, exactly: 0 },
    nginxLeftBehind: { is: left, exactly: 0 },
    confirmedWrites: { is: confirmed.length, atLeast: STARTS * KILLS },
    lostWrites: { is: await countLost(process.env.DATABASE_URL ?? "", confirmed), exactly: 0 },
    longestStartMs: { is: Math.max(...outages.map(({ afterMs }) => afterMs)), atMost: MAX_START_MS },
  });
}, 600_000);

/** Kills nginx's main process. Resolves once another one serves; the times are by performance.now(). */
async function killFront(site: SupervisedSite) {
  const main = nginxProcesses(site).find(({ command }) => command.includes("master"));
  const before = site.output().length;
  const from = performance.now();
  process.kill(main?.pid ?? 0, "SIGKILL");
  const said = () => site.output().slice(before);
  const options = { timeout: 60_000, interval: 10 };
  await expect.poll(said, options).toMatch(/in \d+ ms/);
  const serves = async () => (await fetch(`${site.origin}/healthz`).catch(() => null))?.ok === true;
  await expect.poll(serves, options).toBe(true);
  const to = performance.now();
  return { from, to, afterMs: to - from - Number(/in (\d+) ms/.exec(said())?.[1]) };
}

function nginxProcesses(site: SupervisedSite) {
  return descendants(site.process.pid ?? 0).filter(({ command }) => command.startsWith("nginx:"));
}
