import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits, signinTokens } from "#db/schema/auth.ts";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "./sign-in/jar.ts";
import { newestMail } from "./sign-in/mails.ts";

/** Behind a proxy, so that visitors with addresses of their own can be told apart; and patient, since many ask at once. */
const site = await startSite({ env: { TRUST_PROXY: "1", DATABASE_TIMEOUT_MS: "30000" } });
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

const { id: creatorId } = await createCreator({ name: "Ann" });
const video = await createVideo({ title: "Silk", access: "free", creators: [creatorId] });
await createPhotoSet({ title: "Silk", creators: [creatorId] });
const visitor = await adultCookie();
const member = await createMember();
const memberCookie = await signedInCookie(member.id);

/** A visitor's address; no two tests share one. */
const from = (host: number, network = 100) => ({ "X-Forwarded-For": `198.51.${network}.${host}` });

describe("searching", () => {
  const searches: [string, string][] = [
    [paths.list("video", { q: "silk" }), visitor],
    [paths.list("photoSet", { q: "silk" }), visitor],
    [paths.creators({ q: "ann" }), visitor],
    [paths.favorites({ q: "silk" }), memberCookie],
  ];

  test.each(searches)("%s answers one visitor ten times in ten seconds", async (path, cookie) => {
    const look = (host: number, where = path) => site.fetch(where, { headers: { cookie, ...from(host) } });
    const answers = await Promise.all(Array.from({ length: 11 }, () => look(1)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429]);
    const refused = answers.find(({ status }) => status === 429);
    await expectRefusal(refused, 10);
    // Others search on, and what is no search is not counted.
    expect((await look(2)).status).toBe(200);
    expect((await look(1, path.replace(/\?.*/, ""))).status).toBe(200);
    await letTimePass();
    expect((await look(1)).status).toBe(200);
  });

  test("every list counts towards the same ten, for scripts too", async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1) {
      const [path = "", cookie = ""] = searches[index % searches.length] ?? [];
      const asked = index % 2 ? path.replace("?", ".data?") : path;
      statuses.push((await site.fetch(asked, { headers: { cookie, ...from(3) } })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    const [path = "", cookie = ""] = searches[0] ?? [];
    const byScript = await site.fetch(path.replace("?", ".data?"), { headers: { cookie, ...from(3) } });
    expect(byScript.status).toBe(429);
    expect(await byScript.text()).toContain("retryAfterSeconds");
  });
});

describe("signing in", () => {
  test("twenty links and codes are tried from one address in ten minutes, and not even the right one after them", async () => {
    const jar = new Jar(site, from(10));
    await jar.post("/signin", { email: "guessed@example.com", next: "/" });
    const { token } = await newestMail("guessed@example.com");
    const guesser = new Jar(site, from(10));
    await guesser.post("/signin", { email: "guesser@example.com", next: "/" });
    const statuses = [];
    for (let index = 0; index < 20; index += 1) {
      const wrong =
        index % 2 === 0
          ? guesser.post("/signin/code", { code: "00000000" })
          : guesser.post("/signin/verify", { token: "x" });
      statuses.push((await wrong).status);
    }
    expect(statuses).toEqual(Array(20).fill(422));
    await expectRefusal(await jar.post("/signin/verify", { token }), 600);
    await expectRefusal(await jar.post("/signin/code", { code: "00000000" }), 600);
    // Looking is not trying, and another address has tries of its own.
    expect((await jar.visit(paths.signInVerify({ token }))).status).toBe(200);
    expect((await new Jar(site, from(11)).post("/signin/verify", { token: "x" })).status).toBe(422);
    await letTimePass();
    expect((await jar.post("/signin/verify", { token })).status).toBe(303);
  });

  test("one address asks for ten mails in ten minutes", async () => {
    for (let index = 0; index < 10; index += 1)
      expect((await ask(`ten-${index}@example.com`, from(12))).status).toBe(303);
    await expectRefusal(await ask("eleven@example.com", from(12)), 600);
    await letTimePass();
    expect((await ask("eleven@example.com", from(12))).status).toBe(303);
  });

  test("one mailbox is written to five times an hour, whoever asks", async () => {
    for (let index = 0; index < 5; index += 1)
      expect((await ask("mailbox@example.com", from(20 + index))).status).toBe(303);
    await expectRefusal(await ask("mailbox@example.com", from(25)), 3600);
  });

  test("all visitors together ask for three hundred mails an hour", async () => {
    await db.delete(signinTokens);
    const statuses = new Set<number>();
    for (let network = 101; network <= 130; network += 1) {
      const asking = Array.from({ length: 10 }, (_, index) =>
        ask(`all-${network}-${index}@example.com`, from(index % 3, network)),
      );
      for (const { status } of await Promise.all(asking)) statuses.add(status);
    }
    expect([...statuses]).toEqual([303]);
    await expectRefusal(await ask("one-more@example.com", from(1, 200)), 3600);
    expect(await db.$count(signinTokens)).toBe(300);
    await letTimePass();
    expect((await ask("one-more@example.com", from(1, 200))).status).toBe(303);
  }, 240_000);

  function ask(email: string, headers: Record<string, string>): Promise<Response> {
    return new Jar(site, headers).post("/signin", { email, next: "/" });
  }
});

describe("a member", () => {
  test("is led to the payment provider ten times in ten minutes", async () => {
    const { id } = await createMember();
    const cookie = await signedInCookie(id);
    const statuses = [];
    for (let index = 0; index < 10; index += 1) statuses.push((await send(paths.portal(), cookie)).status);
    expect(statuses).toEqual(Array(10).fill(303));
    await expectRefusal(await send(paths.portal(), cookie), 600);
    expect((await send(paths.portal(), memberCookie)).status).toBe(303);
  });

  const writes: [string, Record<string, string>][] = [
    [paths.api.favorites(), { mediaId: video.id, next: "/" }],
    [paths.api.views(), { mediaId: video.id, progress: "4", next: "/" }],
    ["/api/views/hide", { mediaId: video.id, next: "/" }],
    ["/api/views/seen", { mediaId: video.id, next: "/" }],
    ["/api/views/start-over", { mediaId: video.id, next: "/" }],
    ["/api/views/forget", { mediaId: video.id, next: "/" }],
    ["/api/views/forget-all", {}],
    [paths.media("video", video.slug), { stoppedAt: "0:01" }],
    [paths.accountAction("subscription"), { intent: "cancel" }],
  ];

  test.each(writes)("who wrote sixty times in a minute is told to wait by %s", async (path, form) => {
    const { id } = await createMember();
    const cookie = await signedInCookie(id);
    expect((await send(path, cookie, form)).status).toBe(303);
    let written = 1;
    while ((await takePoint("writesByUser", id)) === null) written += 1;
    expect(written).toBe(60);
    await expectRefusal(await send(path, cookie, form), 60);
    const byScript = await site.fetch(`${path}.data`, {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { cookie, origin: site.origin },
    });
    expect([byScript.status, await byScript.text()]).toEqual([
      429,
      expect.stringContaining("retryAfterSeconds"),
    ]);
    await letTimePass();
    expect((await send(path, cookie, form)).status).toBe(303);
  });

  /** As a browser without JavaScript does it. */
  function send(path: string, cookie: string, form: Record<string, string> = {}): Promise<Response> {
    return site.fetch(path, {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { cookie, origin: site.origin, accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
    });
  }
});

/** A page that says how long to wait, as the header does, and where to go meanwhile. */
async function expectRefusal(answer: Response | undefined, mostSeconds: number): Promise<void> {
  expect(answer?.status).toBe(429);
  expect(answer?.headers.get("content-type")).toMatch(/^text\/html/);
  const seconds = Number(answer?.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(mostSeconds);
  const html = (await answer?.text()) ?? "";
  expect(html).toMatch(/<h1[^>]*>Too many tries<\/h1>/);
  const [, count, unit] = /wait (\d+) (second|minute)s?, then try again\./.exec(html) ?? [];
  const told = Number(count) * (unit === "minute" ? 60 : 1);
  expect(told).toBeGreaterThanOrEqual(seconds);
  expect(told).toBeLessThan(seconds + 60);
  expect(html).toMatch(/<a [^>]*href="\/"[^>]*>Go to the front page<\/a>/);
}

/** As if everything that is counted had been counted long ago. */
async function letTimePass(): Promise<void> {
  await db.execute(sql`UPDATE rate_limits SET expire = now() - interval '1 second'`);
}
