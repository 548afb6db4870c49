import { readdirSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { MAX_PIPELINED } from "#app/web/request/request-context.server.ts";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { addFile, startBytesSite } from "#tests/support/media-site.ts";
import { adultCookie, createMember, signedInCookie } from "#tests/support/people.ts";
import { memoryMb } from "#tests/support/process/process-figures.ts";
import type { Site } from "#tests/support/site.ts";
import { percentile } from "../../../bench/report/figures.ts";
import { expectFigures } from "./support/figures.ts";
import { AMBIGUOUS, HOSTILE, openSilent, sayRaw } from "./support/raw-requests.ts";
import { type LoadAnswer, send, startLoad } from "./support/steady-load.ts";
import { WEB_HEAP_ENV } from "./support/web-heap-env.ts";

const SLOW_HEADS = 500;
const SLOW_READERS = 200;
const PIPELINED = 1_000;
const CASES = Object.keys({ ...AMBIGUOUS, ...HOSTILE }).length;
const ROUNDS = 1;
const ROUND_EVERY_MS = 0;
const VISITS_PER_SECOND = 2;
const ALONE_MS = 0;
const HELD_MS = 1_000;
/** Connections that open at once cost a second of processor time, in which visits wait for their turn. */
const OPENING_MS = 2_000;
/** More than the buffers between two processes hold. */
const LARGE_BYTES = 8 * 1024 * 1024;
const WARM_UP = 40;

const { site: direct, storage } = await startBytesSite(WEB_HEAP_ENV);
const front = await startFrontSite(WEB_HEAP_ENV);
afterAll(async () => {
  await direct.stop();
  await front.stop();
});
const cookie = await adultCookie();
const member = await signedInCookie((await createMember()).id);
const video = await addFile(storage, Buffer.alloc(LARGE_BYTES, 7), { access: "free" });
const script = `/assets/${readdirSync("build/client/assets")[0]}`;

test("hostile requests get no other request's bytes, end nothing, and keep nobody waiting", async () => {
  const seen = [await abuse(direct, direct, video.path, MAX_PIPELINED)];
  seen.push(await abuse(front, front.direct, script, PIPELINED));
  const sum = (figure: (one: (typeof seen)[number]) => number) =>
    seen.reduce((total, one) => total + figure(one), 0);
  expectFigures({
    requests: { is: sum(({ requests }) => requests), exactly: seen.length * ROUNDS * CASES },
    unanswered: { is: sum(({ unanswered }) => unanswered), exactly: 0 },
    answersToHiddenRequests: { is: sum(({ hidden }) => hidden), exactly: 0 },
    serverErrors: { is: sum(({ errors }) => errors), exactly: 0 },
    pipelinedAnswers: { is: sum(({ pipelined }) => pipelined), exactly: MAX_PIPELINED + PIPELINED },
    pipelinedBeyondLimit: { is: seen[0]?.flooded ?? Number.NaN, atMost: MAX_PIPELINED },
    pipelinedAnswersOfOthers: { is: sum(({ mixed }) => mixed), exactly: 0 },
    visits: {
      is: sum(({ visits }) => visits.length),
      atLeast: Math.max(4, (seen.length * VISITS_PER_SECOND * HELD_MS) / 1_000),
    },
    failedVisits: { is: sum(({ visits }) => visits.filter(isFailure).length), exactly: 0 },
    crashes: { is: sum(({ crashes }) => crashes), exactly: 0 },
    grownMb: { is: Math.max(...seen.map(({ grownMb }) => grownMb)), atMost: 100 },
  });
}, 900_000);

/** `server` is the site's own process, `site` what answers at the port: all of `mayPipeline` requests sent ahead. */
async function abuse(site: Site, server: Site, slowPath: string, mayPipeline: number) {
  const pid = server.process.pid ?? 0;
  const port = Number(new URL(site.origin).port);
  for (let count = 0; count < WARM_UP; count += 1) await visit(site);
  for (const bytes of Object.values({ ...AMBIGUOUS, ...HOSTILE })) await sayRaw(port, bytes);
  // The first slow clients also fill what stays allocated: compiled code and a grown heap.
  const first = openSlow(port, slowPath);
  await pipeline(port, PIPELINED);
  await sleep(HELD_MS / 2);
  for (const socket of first) socket.destroy();
  const alone = await visitWhile(site, () => sleep(ALONE_MS));
  const before = memoryMb(pid).now;
  const said: string[] = [];
  let allowed = { answered: 0, mixed: 0 };
  let flood = allowed;
  const slow: Socket[] = [];
  const openedAt = performance.now();
  const during = await visitWhile(site, async () => {
    slow.push(...openSlow(port, slowPath));
    await sleep(HELD_MS);
  });
  const inRounds = await visitWhile(site, async () => {
    const rounds: Promise<string[]>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const cases = Object.values({ ...AMBIGUOUS, ...HOSTILE });
      // nginx keeps one of these connections open for seconds, which no later round waits for.
      rounds.push(Promise.all(cases.map((bytes) => sayRaw(port, bytes))));
      await sleep(ROUND_EVERY_MS);
    }
    allowed = await pipeline(port, mayPipeline);
    flood = await pipeline(port, PIPELINED);
    said.push(...(await Promise.all(rounds)).flat());
  });
  for (const socket of slow) socket.destroy();
  const { now } = memoryMb(pid);
  expect((await visit(site)).status, "the site goes on").toBe(200);
  return {
    requests: said.length,
    unanswered: said.filter((answer) => !/^HTTP\/1\.[01] \d{3} /.test(answer)).length,
    hidden: said.filter((answer) => answersIn(answer) > 1 || /hidden-by|echoed-by/.test(answer)).length,
    errors: said.filter((answer) => /^HTTP\/1\.1 5(?!01|05)/.test(answer)).length,
    pipelined: allowed.answered,
    flooded: flood.answered,
    mixed: allowed.mixed + flood.mixed,
    visits: [...during, ...inRounds],
    crashes: server.process.exitCode === null && server.process.signalCode === null ? 0 : 1,
    grownMb: now - before,
    times: at95(during.filter(({ startedAt }) => startedAt > openedAt + OPENING_MS)) / at95(alone),
    slowestMs: Math.max(...during.map(({ milliseconds }) => milliseconds)),
    timesInRounds: at95(inRounds) / at95(alone),
  };
}

function openSlow(port: number, path: string): Socket[] {
  const head = "GET /about HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
  const read = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`;
  return [...openSilent(port, SLOW_HEADS, head), ...openSilent(port, SLOW_READERS, read)];
}

/** The interim response 100 Continue does not count. */
function answersIn(said: string): number {
  return said.match(/HTTP\/1\.[01] (?!100)\d{3} /g)?.length ?? 0;
}

/** Requests of two kinds in turns on one connection. Returns how many were answered, and how many by the other kind. */
async function pipeline(port: number, length: number): Promise<{ answered: number; mixed: number }> {
  const requests = Array.from({ length }, (_, index) => (index % 2 ? "/healthz" : "/robots.txt"));
  const bytes = requests.map((path, index) => {
    const last = index === length - 1 ? "Connection: close\r\n" : "";
    return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${last}\r\n`;
  });
  const said = await sayRaw(port, bytes.join(""));
  const answers = said.split(/(?=HTTP\/1\.1 \d{3} )/).filter((answer) => answer.startsWith("HTTP/1.1 200"));
  const mixed = answers.filter(
    (answer, index) => answer.includes("User-agent") !== (requests[index] === "/robots.txt"),
  );
  return { answered: answers.length, mixed: mixed.length };
}

async function visitWhile(site: Site, work: () => Promise<unknown>): Promise<LoadAnswer[]> {
  const load = startLoad(site.origin, { perSecond: VISITS_PER_SECOND, next: pageOf });
  await work();
  return load.stop();
}

function visit(site: Site): Promise<LoadAnswer> {
  return send(site.origin, pageOf());
}

/** A visitor's page would be shared and read once a second: the slowest twentieth would be those that read it. */
function pageOf() {
  return { path: paths.list("video"), headers: { cookie: member } };
}

function isFailure({ status }: LoadAnswer): boolean {
  return status !== 200;
}

function at95(answers: LoadAnswer[]): number {
  return percentile(
    answers.map(({ milliseconds }) => milliseconds),
    0.95,
  );
}
