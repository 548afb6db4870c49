import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { LIMITS, type LimitName, takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { cleanUpAuth } from "#app/domain/auth/sign-in.server.ts";
import { db } from "#db/client.server.ts";
import { knownBrowsers, rateLimits, users } from "#db/schema/auth.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";
import { countMails, newestMail } from "../support/mails.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const YEAR_SECONDS = 365 * 24 * 3600;

/** The site runs behind a proxy, so that visitors can have different addresses. */
const site = await startSite({ env: { TRUST_PROXY: "1" } });
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

let hosts = 0;
/** Each browser gets its own network address. */
function newBrowser(): Jar {
  hosts += 1;
  return new Jar(site, { "User-Agent": FIREFOX, "X-Forwarded-For": `198.51.100.${hosts % 256}` });
}

const ask = (jar: Jar, email: string) => jar.post("/signin", { email, next: "/" });

async function signIn(jar: Jar, email: string): Promise<void> {
  expect((await ask(jar, email)).status).toBe(303);
  const { code } = await newestMail(email);
  expect((await jar.post("/signin/code", { code })).status).toBe(303);
  await jar.post("/signout", {});
}

async function useUp(name: LimitName, key: string): Promise<void> {
  while ((await takePoint(name, key)) === null);
}

describe("a stranger who requests emails", () => {
  test("cannot lock a member out of their usual browser", async () => {
    const email = "locked@example.com";
    const own = newBrowser();
    await signIn(own, email);
    await db.delete(rateLimits);
    for (let post = 0; post < LIMITS.mailByAddress.points; post += 1) await ask(newBrowser(), email);
    await useUp("mailByEverybody", "all");
    await useUp("mailByClient", `198.51.100.${hosts % 256}`);
    expect((await ask(newBrowser(), email)).status).toBe(429);
    await signIn(own, email);
    // A browser in which the member has never signed in has to wait like any other.
    expect((await ask(newBrowser(), email)).status).toBe(429);
  });

  test("does not revoke the member's link", async () => {
    const email = "revoked@example.com";
    const own = newBrowser();
    await ask(own, email);
    const first = await newestMail(email);
    await ask(newBrowser(), email);
    expect((await own.post("/signin/verify", { token: first.token })).status).toBe(303);
  });

  test("learns nothing about an account or a known browser from the responses", async () => {
    const member = await createMember();
    await signIn(newBrowser(), member.email);
    await db.delete(rateLimits);
    const browserOfMember = newBrowser();
    await signIn(browserOfMember, "somebody-else@example.com");
    await db.delete(rateLimits);
    const answers: unknown[] = [];
    for (const email of [member.email, "nobody-at-all@example.com"]) {
      for (let post = 0; post < LIMITS.mailByAddress.points; post += 1) await ask(newBrowser(), email);
      for (const stranger of [newBrowser(), browserOfMember]) {
        const answer = await ask(stranger, email);
        const cookies = answer.headers.getSetCookie().map((line) => line.replace(/=[^;]+/, "="));
        const text = (await answer.text())
          .replaceAll(email, "")
          .replaceAll(/nonce="[^"]+"|\d+ minutes?|[\w-]{36}/g, "");
        answers.push([answer.status, cookies, text.replace(/"retryAfterSeconds",\d+/, "")]);
      }
    }
    expect(answers).toHaveLength(4);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect((answers[0] as unknown[])[0]).toBe(429);
  });

  test("causes no more emails than before, and the member's own browser five an hour", async () => {
    const email = "bombed@example.com";
    const own = newBrowser();
    await signIn(own, email);
    await db.delete(rateLimits);
    await db.delete(mailOutbox);
    for (let post = 0; post < 30; post += 1) await ask(newBrowser(), email);
    expect(await countMails(email)).toBe(LIMITS.mailByAddress.points);
    const statuses: number[] = [];
    for (let post = 0; post < 8; post += 1) statuses.push((await ask(own, email)).status);
    expect(statuses).toEqual([...Array(5).fill(303), 429, 429, 429]);
    expect(await countMails(email)).toBe(LIMITS.mailByAddress.points + LIMITS.mailByKnownBrowser.points);
  });

  test("cannot use the code of one browser in another that requested the same address", async () => {
    const email = "two@example.com";
    const [own, other] = [newBrowser(), newBrowser()];
    await ask(own, email);
    const { code } = await newestMail(email);
    await ask(other, email);
    expect((await other.post("/signin/code", { code })).status).toBe(422);
    expect((await own.post("/signin/code", { code })).status).toBe(303);
  });
});

describe("an email about a new device", () => {
  const mailsTo = (email: string) =>
    db
      .select({ subject: mailOutbox.subject, text: mailOutbox.text })
      .from(mailOutbox)
      .where(and(eq(mailOutbox.to, email), eq(mailOutbox.kind, "new-device")));

  test("is sent after a sign-in from another browser, but not after the first or from the same one", async () => {
    const email = "devices@example.com";
    const own = newBrowser();
    await signIn(own, email);
    await signIn(own, email);
    expect(await mailsTo(email)).toEqual([]);
    await signIn(new Jar(site, { "User-Agent": FIREFOX, "X-Forwarded-For": "203.0.113.77" }), email);
    const [mail, ...more] = await mailsTo(email);
    expect([mail?.subject, more]).toEqual(["New sign-in to Peony", []]);
    expect(mail?.text).toContain("Firefox on Linux, from the network 203.0.113.0/24");
    expect(mail?.text).toMatch(/on \d+ \w+ \d{4}, \d\d:\d\d UTC/);
    expect(mail?.text).toMatch(/http:\/\/localhost:\d+\/user\/account#devices/);
    expect(mail?.text).not.toContain("203.0.113.77");
    await signIn(own, email);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test("is not sent to a member whose browsers are no longer known", async () => {
    const { id, email } = await createMember();
    await signedInCookie(id);
    await signIn(newBrowser(), email);
    expect(await mailsTo(email)).toEqual([]);
    await signIn(newBrowser(), email);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test("and the email with the link repeat nothing that the browser claims about itself", async () => {
    const email = "hostile@example.com";
    await signIn(newBrowser(), email);
    const hostile = { "User-Agent": "https://evil.example/now (visit evil.example) evil.example/1.0" };
    await signIn(new Jar(site, { ...hostile, "X-Forwarded-For": "203.0.113.5" }), email);
    const mails = await db.select().from(mailOutbox).where(eq(mailOutbox.to, email));
    expect(mails).toHaveLength(3);
    expect(JSON.stringify(mails)).not.toContain("evil");
    expect(JSON.stringify(mails)).toContain("A browser on an unknown system");
  });
});

describe("the known browsers of a member", () => {
  test("are the last twenty of the last year", async () => {
    const email = "many@example.com";
    const { id } = await createMember({ email });
    await db.insert(knownBrowsers).values(
      Array.from({ length: 25 }, (_, index) => ({
        userId: id,
        browserHash: `old-${index}`,
        lastSignInAt: new Date(Date.now() - (index + 1) * 24 * 3_600_000),
      })),
    );
    await signIn(newBrowser(), email);
    const kept = await db.select().from(knownBrowsers).where(eq(knownBrowsers.userId, id));
    const old = kept.map(({ browserHash }) => browserHash).filter((hash) => hash.startsWith("old-"));
    expect([kept.length, old.length, old.includes("old-18"), old.includes("old-19")]).toEqual([
      20,
      19,
      true,
      false,
    ]);
    await db
      .update(knownBrowsers)
      .set({ lastSignInAt: sql`now() - interval '366 days'` })
      .where(eq(knownBrowsers.browserHash, "old-3"));
    await cleanUpAuth();
    expect(await db.$count(knownBrowsers, eq(knownBrowsers.userId, id))).toBe(19);
  });

  test("are stored as a hash only", async () => {
    const email = "hashed-id@example.com";
    const jar = newBrowser();
    await signIn(jar, email);
    const [row] = await db
      .select({ browserHash: knownBrowsers.browserHash })
      .from(knownBrowsers)
      .innerJoin(users, eq(users.id, knownBrowsers.userId))
      .where(eq(users.email, email));
    expect(row?.browserHash).toMatch(/^[0-9a-f]{64}$/);
    expect(decodeURIComponent(jar.get("browser") ?? "")).not.toContain(row?.browserHash ?? "");
  });
});

describe("the age gate", () => {
  test("is passed by one browser, and a copy of its cookie is invalid in another", async () => {
    const [own, other] = [newBrowser(), newBrowser()];
    for (const jar of [own, other]) await jar.post("/enter", { next: "/" });
    expect((await own.visit("/")).status).toBe(200);
    const copied = newBrowser();
    copied.set("adult", own.get("adult") ?? "");
    const without = await copied.visit("/content/video");
    expect([without.status, without.headers.get("location")]).toEqual([
      302,
      "/enter?next=%2Fcontent%2Fvideo",
    ]);
    other.set("adult", own.get("adult") ?? "");
    expect((await other.visit("/content/video")).status).toBe(302);
    copied.set("browser", own.get("browser") ?? "");
    expect((await copied.visit("/content/video")).status).toBe(200);
  });

  test("keeps the browser's id for another year, as signing in does", async () => {
    const jar = newBrowser();
    const gate = await jar.post("/enter", { next: "/" });
    const id = jar.get("browser");
    const cookie = gate.headers.getSetCookie().find((line) => line.startsWith("browser="));
    expect(cookie).toMatch(new RegExp(`Max-Age=${YEAR_SECONDS};.*HttpOnly; SameSite=Lax`));
    await signIn(jar, "gate-first@example.com");
    await jar.post("/enter", { next: "/" });
    expect(jar.get("browser")).toBe(id);
    const signInFirst = newBrowser();
    await signIn(signInFirst, "sign-in-first@example.com");
    const given = signInFirst.get("browser");
    await signInFirst.post("/enter", { next: "/" });
    expect([given !== undefined, signInFirst.get("browser")]).toEqual([true, given]);
    expect((await signInFirst.visit("/")).status).toBe(200);
  });
});
