import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { undoLink } from "#app/domain/account/request-deletion.server.ts";
import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { cancelLink, withdrawLink } from "#app/domain/billing/subscriptions/signed-links.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits, users } from "#db/schema/auth.ts";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { listRoutes } from "#tests/support/route-manifest.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";
import { newestMail } from "../support/mails.ts";
import { createLibrary } from "../support/routes/library.ts";
import { newCaller, type Target } from "../support/routes/people.ts";
import type { Row } from "../support/routes/row.ts";
import { listRows } from "../support/routes/rows.ts";

/** The proxy gives visitors their own addresses; the long timeout is for many concurrent requests. */
const site = await startSite({ env: { TRUST_PROXY: "1" } });
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

const { id: creatorId } = await createCreator({ name: "Ann" });
const video = await createVideo({ title: "Silk", access: "free", creators: [creatorId] });
await createPhotoSet({ title: "Silk", creators: [creatorId] });
const rows = listRows(await createLibrary());
/** The Accept header of a browser without JavaScript, which shows any response. */
const AS_PAGE = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
/** The reason that an action is not counted among a member's writes. */
const OTHERWISE_LIMITED: Record<string, string> = {
  "routes/signin": "counted by email address and network",
  "routes/signin_.code": "counted by network and code",
  "routes/signin_.verify": "counted by network and link",
  "routes/signout": "signing out must always work",
  "routes/enter": "writes a cookie only",
  "routes/api.color-mode": "writes a cookie only",
  "routes/api.billing.webhook.$provider.($token)": "the payment provider's own, at most 50 at once",
  "routes/api.views": "progress has a limit of its own",
  "routes/studio.upload_.files.$": "pieces of uploads have a limit of their own",
  "routes/$": "nothing is there",
};
const visitor = await adultCookie();
const member = await createMember();
const memberCookie = await signedInCookie(member.id);

/** A visitor's address; no two tests share one. */
const HEADER = "X-Forwarded-For";
const from = (host: number, network = 100) => ({ [HEADER]: `198.51.${network}.${host}` });

describe("searching", () => {
  const searches: [string, string][] = [
    [paths.list("video", { q: "silk" }), visitor],
    [paths.list("photoSet", { q: "silk" }), visitor],
    [paths.creators({ q: "ann" }), visitor],
    [paths.favorites({ q: "silk" }), memberCookie],
  ];

  test.each(searches)("%s answers one visitor ten times in ten seconds", async (path, cookie) => {
    const look = (host: number, where = path) => site.fetch(where, { headers: { cookie, ...from(host) } });
    for (let count = 0; count < 10; count += 1) {
      expect((await look(1)).status).toBe(200);
      await beginTenSeconds();
    }
    await expectRefusal(await look(1), 10);
    // Other visitors can still search, and a request without a query is not counted.
    expect((await look(2)).status).toBe(200);
    expect((await look(1, path.replace(/\?.*/, ""))).status).toBe(200);
    await letTimePass();
    expect((await look(1)).status).toBe(200);
  });

  test("every list counts towards the same ten, even for scripts", async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1) {
      const [path = "", cookie = ""] = searches[index % searches.length] ?? [];
      const address = index % 2 ? path.replace("?", ".data?") : path;
      statuses.push((await site.fetch(address, { headers: { cookie, ...from(3) } })).status);
      await beginTenSeconds();
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    const [path = "", cookie = ""] = searches[0] ?? [];
    const byScript = await site.fetch(path.replace("?", ".data?"), { headers: { cookie, ...from(3) } });
    expect(byScript.status).toBe(429);
    expect(await byScript.text()).toContain("retryAfterSeconds");
  });

  test("a flood of searches is refused without a page until the limit has passed", async () => {
    const [path = "", cookie = ""] = searches[0] ?? [];
    const look = (host: number, where = path) => site.fetch(where, { headers: { cookie, ...from(host) } });
    const kinds: string[] = [];
    for (let index = 0; index < 32; index += 1) {
      const { status, headers } = await look(4);
      kinds.push(`${status} ${headers.get("content-type")?.split(";", 1)}`);
      if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      await beginTenSeconds();
    }
    expect(kinds).toEqual([
      ...Array(10).fill("200 text/html"),
      ...Array(20).fill("429 text/html"),
      ...Array(2).fill("429 text/plain"),
    ]);
    expect((await look(5)).status).toBe(200);
    expect((await look(4, path.replace(/\?.*/, ""))).status).toBe(200);
    const written = await look(4, `${path.toUpperCase().replace("Q=", "%71=")}`);
    expect([written.status, await written.text()]).toEqual([429, expect.stringMatching(/^There are/)]);
    const byScript = await look(4, path.replace("?", ".data?"));
    expect([byScript.status, await byScript.text()]).toEqual([429, expect.stringContaining("retryAfter")]);
    await letTimePass();
    await expect.poll(async () => (await look(4)).status).toBe(200);
  });
});

describe("signing in", () => {
  test("one address may try 120 links and codes in ten minutes, and then not even the right one", async () => {
    const tries = 20;
    for (let taken = tries; taken < 120; taken += 1) await takePoint("verifyByClient", from(10)[HEADER]);
    const jar = new Jar(site, from(10));
    await jar.post("/signin", { email: "guessed@example.com", next: "/" });
    const { token } = await newestMail("guessed@example.com");
    const guesser = new Jar(site, from(10));
    await guesser.post("/signin", { email: "guesser@example.com", next: "/" });
    const statuses = [];
    for (let index = 0; index < tries; index += 1) {
      const wrong =
        index % 2 === 0
          ? guesser.post("/signin/code", { code: "00000000" })
          : guesser.post("/signin/verify", { token: "x" });
      statuses.push((await wrong).status);
    }
    expect(statuses).toEqual(Array(tries).fill(422));
    await expectRefusal(await jar.post("/signin/verify", { token }), 600);
    await expectRefusal(await jar.post("/signin/code", { code: "00000000" }), 600);
    // Opening the page is no attempt, and another address has its own attempts.
    expect((await jar.visit(paths.signInVerify({ token }))).status).toBe(200);
    expect((await new Jar(site, from(11)).post("/signin/verify", { token: "x" })).status).toBe(422);
    await letTimePass();
    expect((await jar.post("/signin/verify", { token })).status).toBe(303);
  });
});

describe("a member", () => {
  test("is sent to the payment provider ten times in ten minutes", async () => {
    const { id } = await createMember();
    const cookie = await signedInCookie(id);
    const statuses = [];
    for (let index = 0; index < 10; index += 1) statuses.push((await send(paths.portal(), cookie)).status);
    expect(statuses).toEqual(Array(10).fill(303));
    await expectRefusal(await send(paths.portal(), cookie), 600);
    expect((await send(paths.portal(), memberCookie)).status).toBe(303);
  });

  test("has to wait after sixty writes in a minute, until the minute is over", async () => {
    const { id } = await createMember();
    const cookie = await signedInCookie(id);
    const form = { mediaId: video.id, next: "/" };
    expect((await send(paths.api.favorites(), cookie, form)).status).toBe(303);
    // A refused form counts as well.
    expect((await send(paths.account(), cookie, {})).status).toBe(422);
    let written = 2;
    while ((await takePoint("writesByUser", id)) === null) written += 1;
    expect(written).toBe(60);
    await expectRefusal(await send(paths.api.favorites(), cookie, form), 60);
    await letTimePass();
    expect((await send(paths.api.favorites(), cookie, form)).status).toBe(303);
  });

  test("can still favorite photos after looking through a long set", async () => {
    const { id } = await createMember();
    const cookie = await signedInCookie(id);
    const report = { mediaId: video.id, progress: "1" };
    while ((await takePoint("progressByUser", id)) === null);
    await expectRefusal(await send(paths.api.views(), cookie, report), 60);
    const favorite = { mediaId: video.id, next: "/" };
    expect((await send(paths.api.favorites(), cookie, favorite)).status).toBe(303);

    const other = await createMember();
    while ((await takePoint("writesByUser", other.id)) === null);
    const form = { ...report, next: "/" };
    expect((await send(paths.api.views(), await signedInCookie(other.id), form)).status).toBe(303);
  });

  test("has one limit of sixty for every action of the site", async () => {
    const { cookie, target } = await newCaller("member", video.id);
    const subscription = { id: await subscribe(target.userId), userId: target.userId };
    const links: Record<string, string> = {
      "routes/cancel": cancelLink(subscription),
      "routes/withdraw": withdrawLink(subscription),
      "routes/keep-account": await undoLinkOf(target.userId),
    };
    while ((await takePoint("writesByUser", target.userId)) === null);
    const actions = (await listRoutes()).filter(({ hasAction }) => hasAction).map(({ id }) => id);
    expect(Object.keys(OTHERWISE_LIMITED).filter((route) => !actions.includes(route))).toEqual([]);
    for (const route of actions.filter((id) => !(id in OTHERWISE_LIMITED))) {
      const row = rows.find((one) => one.route === route && one.method === "POST");
      const { pathname, search } = new URL(links[route] ?? pathOf(row, target), site.origin);
      const body = row?.body?.(target);
      // The waiting time must not depend on the duration of the previous routes.
      await db.execute(sql`UPDATE rate_limits SET expire = now() + interval '60 seconds'`);
      await expectRefusal(await send(pathname + search, cookie, body), 60, route);
      const byScript = await site.fetch(`${pathname}.data${search}`, {
        method: "POST",
        body,
        headers: { cookie, origin: site.origin },
      });
      expect([route, byScript.status, await byScript.text()]).toEqual([
        route,
        429,
        expect.stringContaining("retryAfterSeconds"),
      ]);
    }
    const exported = await site.fetch(paths.accountAction("export"), { headers: { cookie, ...AS_PAGE } });
    await expectRefusal(exported, 60, "export");
  }, 120_000);

  /** Sends a form as a browser without JavaScript does. */
  function send(
    path: string,
    cookie: string,
    form: Record<string, string> | ReturnType<NonNullable<Row["body"]>> = {},
  ): Promise<Response> {
    const isBody = typeof form === "string" || form instanceof FormData || form instanceof URLSearchParams;
    return site.fetch(path, {
      method: "POST",
      body: isBody ? form : new URLSearchParams(form),
      headers: { cookie, origin: site.origin, ...AS_PAGE },
    });
  }

  async function undoLinkOf(userId: string): Promise<string> {
    await db
      .update(users)
      .set({ deletionRequestedAt: new Date(0) })
      .where(eq(users.id, userId));
    return undoLink({ userId, requestedAt: "0.000000", deletesAt: new Date() });
  }

  function pathOf(row: Row | undefined, target: Target): string {
    if (row === undefined) throw new Error("tests/support/routes/rows.ts lacks a row");
    return typeof row.path === "string" ? row.path : row.path(target);
  }
});

/** The page of a refusal must have these: its title, and a way on. */
const OWN_PAGE = [/<h1[^>]*>Too many tries<\/h1>/, /<a [^>]*href="\/"[^>]*>Go to the front page<\/a>/];

/** The page must state the waiting time of the Retry-After header, and link to other pages. */
async function expectRefusal(
  answer: Response | undefined,
  mostSeconds: number,
  what = "",
  parts = OWN_PAGE,
): Promise<void> {
  expect([what, answer?.status]).toEqual([what, 429]);
  expect([what, answer?.headers.get("content-type")]).toEqual([what, expect.stringMatching(/^text\/html/)]);
  const seconds = Number(answer?.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(mostSeconds);
  const html = (await answer?.text()) ?? "";
  for (const part of parts) expect(html).toMatch(part);
  const [, count, unit] = /wait (\d+) (second|minute)s?, then try again\./.exec(html) ?? [];
  const waitSeconds = Number(count) * (unit === "minute" ? 60 : 1);
  expect(waitSeconds).toBeGreaterThanOrEqual(seconds);
  expect(waitSeconds).toBeLessThan(seconds + 60);
}

/** A slow machine takes longer than ten seconds for eleven searches. */
async function beginTenSeconds(): Promise<void> {
  await db.execute(sql`UPDATE rate_limits SET expire = now() + interval '10 seconds'`);
}

/** Resets all limits as if enough time had passed. */
async function letTimePass(): Promise<void> {
  await db.execute(sql`UPDATE rate_limits SET expire = now() - interval '1 second'`);
}
