import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LIMITS, takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { newCode } from "#app/domain/auth/sign-in-code.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits, signinTokens, users } from "#db/schema/auth.ts";
import { adultCookie, createMember, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { requestSignIn, sessionsOf } from "../support/auth/sign-in.ts";
import { Jar } from "../support/cookie-jar.ts";
import { countMails, newestMail } from "../support/mails.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

const requestedBy = (email: string) => requestSignIn(site, email);

test("opening a link a hundred times changes nothing, and it still signs in", async () => {
  const jar = await requestedBy("scanned@example.com");
  const { token } = await newestMail("scanned@example.com");
  const scanner = new Jar(site, { "User-Agent": "Mail scanner" });
  for (let look = 0; look < 50; look++) {
    for (const method of ["GET", "HEAD"]) {
      const page = await scanner.visit(verifyPath(token), { method });
      expect(page.headers.getSetCookie()).toEqual([]);
    }
  }
  expect(await sessionsOf("scanned@example.com")).toBe(0);
  expect((await jar.post("/signin/verify", { token })).status).toBe(303);
});

test("exactly one of fifty concurrent posts of one link signs in", async () => {
  const jar = await requestedBy("race@example.com");
  const { token } = await newestMail("race@example.com");
  await db.update(users).set({ role: "member" });
  const posts = await Promise.all(
    Array.from({ length: 50 }, () => jar.post("/signin/verify", { token }).then((one) => one.status)),
  );
  expect(posts.filter((status) => status === 303)).toHaveLength(1);
  expect(await sessionsOf("race@example.com")).toBe(1);
});

test("a link works for 1799 seconds and not for 1801", async () => {
  for (const [seconds, status] of [
    [1799, 303],
    [1801, 422],
  ] as const) {
    const email = `late-${seconds}@example.com`;
    const jar = await requestedBy(email);
    await db
      .update(signinTokens)
      .set({ expiresAt: sql`${signinTokens.expiresAt} - make_interval(secs => ${seconds})` })
      .where(eq(signinTokens.email, email));
    const { token } = await newestMail(email);
    expect((await jar.post("/signin/verify", { token })).status).toBe(status);
  }
});

test("both emails of two requests work until their own end, whichever arrives first", async () => {
  const email = "twice@example.com";
  const jar = await requestedBy(email);
  const older = await newestMail(email);
  await jar.post("/signin", { email, next: "/about" });
  const newer = await newestMail(email);
  expect((await jar.post("/signin/verify", { token: older.token })).status).toBe(303);
  expect((await jar.post("/signin/verify", { token: newer.token })).status).toBe(303);
  expect(await sessionsOf(email)).toBe(1);
  for (const { token } of [older, newer])
    expect((await jar.post("/signin/verify", { token, confirm: "yes" })).status).toBe(422);
});

test("the code of the earlier email works, too, and so does its link in another browser", async () => {
  const email = "late-code@example.com";
  const jar = await requestedBy(email);
  const older = await newestMail(email);
  await jar.post("/signin", { email, next: "/about" });
  expect((await jar.post("/signin/code", { code: older.code })).headers.get("location")).toBe("/");
  const again = await requestedBy("late-phone@example.com");
  const { token } = await newestMail("late-phone@example.com");
  await again.post("/signin", { email: "late-phone@example.com" });
  expect((await new Jar(site).post("/signin/verify", { token, confirm: "yes" })).status).toBe(303);
});

test("an earlier link ends at its own time, not with the newer one", async () => {
  const email = "own-end@example.com";
  const jar = await requestedBy(email);
  const older = await newestMail(email);
  await db
    .update(signinTokens)
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where(eq(signinTokens.email, email));
  await jar.post("/signin", { email });
  const newer = await newestMail(email);
  expect((await jar.post("/signin/verify", { token: older.token })).status).toBe(422);
  expect((await jar.post("/signin/code", { code: older.code })).status).toBe(422);
  expect((await jar.post("/signin/code", { code: newer.code })).status).toBe(303);
});

test("a wrong code counts against every open email of the browser, so more emails do not allow more tries", async () => {
  const email = "many-mails@example.com";
  const jar = await requestedBy(email);
  const mails = [await newestMail(email)];
  for (let more = 0; more < 2; more += 1) {
    await jar.post("/signin", { email });
    mails.push(await newestMail(email));
  }
  for (let tries = 0; tries < 5; tries++) await jar.post("/signin/code", { code: "00000000" });
  for (const { code, token } of mails) {
    expect((await jar.post("/signin/code", { code })).status).toBe(422);
    expect((await jar.post("/signin/verify", { token })).status).toBe(422);
  }
});

test("a code works only in the browser that requested it", async () => {
  await requestedBy("codes@example.com");
  const { code } = await newestMail("codes@example.com");
  const other = await requestedBy("other@example.com");
  expect((await other.post("/signin/code", { code })).status).toBe(422);
  expect(await sessionsOf("codes@example.com")).toBe(0);
});

test("a link opened in another browser names the requesting device and needs a confirmation", async () => {
  await requestedBy("phone@example.com");
  const { token } = await newestMail("phone@example.com");
  const other = new Jar(site);
  const page = await (await other.visit(verifyPath(token))).text();
  expect(page).toContain("Firefox on Linux");
  expect((await other.post("/signin/verify", { token })).status).toBe(422);
  expect(await sessionsOf("phone@example.com")).toBe(0);
  expect((await other.post("/signin/verify", { token, confirm: "yes" })).status).toBe(303);
});

test("after five wrong codes the right one and the link are refused too", async () => {
  const jar = await requestedBy("guess@example.com");
  const { code, token } = await newestMail("guess@example.com");
  for (let tries = 0; tries < 5; tries++) await jar.post("/signin/code", { code: "00000000" });
  expect((await jar.post("/signin/code", { code })).status).toBe(422);
  expect((await jar.post("/signin/verify", { token })).status).toBe(422);
});

test("a code has eight of 32 characters that are hard to confuse", () => {
  const codes = Array.from({ length: 500 }, newCode);
  expect(codes.filter((code) => code.length !== 8)).toEqual([]);
  expect([...new Set(codes.join(""))].sort().join("")).toBe("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
});

test("the response is the same for members and strangers", async () => {
  const member = await createMember();
  const bodies = await Promise.all(
    [member.email, "stranger@example.com"].map(async (email) => {
      const response = await new Jar(site).post("/signin", { email, next: "/" });
      const names = response.headers.getSetCookie().map((line) => line.split("=")[0]);
      return [response.status, response.headers.get("location"), names, await response.text()];
    }),
  );
  expect(bodies[0]).toEqual(bodies[1]);
});

test("a hundred requests for one address send five emails, and another address still gets one", async () => {
  for (let round = 0; round < 10; round++) {
    await db.delete(rateLimits).where(sql`${rateLimits.key} LIKE 'mailByClient:%'`);
    for (let post = 0; post < 10; post++) await new Jar(site).post("/signin", { email: "bomb@example.com" });
  }
  expect(await countMails("bomb@example.com")).toBe(5);
  await db.delete(rateLimits).where(sql`${rateLimits.key} LIKE 'mailByClient:%'`);
  await requestedBy("bystander@example.com");
  expect(await countMails("bystander@example.com")).toBe(1);
});

test("forged forwarding headers do not evade the limit, and the refusal says how long to wait", async () => {
  const left = 10;
  for (let taken = left; taken < LIMITS.mailByClient.points; taken++)
    await takePoint("mailByClient", "127.0.0.1");
  const statuses: number[] = [];
  for (let post = 0; post < left + 5; post++) {
    const jar = new Jar(site, { "X-Forwarded-For": `198.51.100.${post}` });
    const response = await jar.post("/signin", { email: `rotate-${post}@example.com` });
    statuses.push(response.status);
    if (response.status === 429) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(statuses.filter((status) => status === 303)).toHaveLength(left);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
});

test("no header makes an emailed link point to another site", async () => {
  const evil = "evil.example";
  const variants: Record<string, string>[] = [
    { "X-Forwarded-Host": evil },
    { "X-Forwarded-Host": `${evil}, localhost` },
    { "X-Forwarded-Proto": "javascript" },
    { "X-Forwarded-Port": "81" },
    { "X-Forwarded-Server": evil },
    { "X-Host": evil },
    { "X-Original-URL": `https://${evil}/` },
    { "X-Rewrite-URL": `https://${evil}/` },
    { Forwarded: `host=${evil};proto=https` },
    { Referer: `https://${evil}/` },
    { "X-Original-Host": evil },
    { "X-HTTP-Host-Override": evil },
  ];
  for (const [index, headers] of variants.entries()) {
    await db.delete(rateLimits);
    const email = `headers-${index}@example.com`;
    await new Jar(site, headers).post("/signin", { email, next: "/" }, { "Sec-Fetch-Site": "same-origin" });
    expect(await countMails(email), JSON.stringify(headers)).toBe(1);
    expect((await newestMail(email)).link).toMatch(/^http:\/\/localhost:\d+\/signin\/verify\?token=/);
  }
});

test("a session id planted before the sign-in is replaced and revoked", async () => {
  const attacker = await createMember();
  const planted = (await signedInCookie(attacker.id)).match(/session=([^;]+)/)?.[1] ?? "";
  const jar = new Jar(site);
  jar.set("session", planted);
  await jar.post("/signin", { email: "victim@example.com", next: "/" });
  const { code } = await newestMail("victim@example.com");
  await jar.post("/signin/code", { code });
  expect(jar.get("session")).not.toBe(planted);
  expect(await sessionsOf(attacker.email)).toBe(0);
});

test("after signing out the same cookie is not valid", async () => {
  const member = await createMember();
  const cookie = await signedInCookie(member.id);
  const jar = new Jar(site);
  for (const pair of cookie.split("; ")) jar.set(pair.split("=")[0] ?? "", pair.slice(pair.indexOf("=") + 1));
  const out = await jar.post("/signout", {});
  expect(out.headers.get("location")).toBe("/signin?signedOut=here");
  expect(await (await jar.visit("/signin?signedOut=here")).text()).toContain("You are signed out.");
  expect(await sessionsOf(member.email)).toBe(0);
  const replayed = await site.fetch("/user/account", { headers: { cookie } });
  expect(replayed.headers.get("location")).toMatch(/^\/signin\?/);
});

test("the sign-in page confirms a sign-out everywhere, but never without one", async () => {
  const member = await createMember();
  const headers = { cookie: await signedInCookie(member.id), origin: site.origin };
  const out = await site.fetch("/user/account/sign-out-everywhere", { method: "POST", headers });
  const page = await site.fetch(out.headers.get("location") ?? "");
  expect(await page.text()).toContain("You are signed out on all devices.");
  for (const path of ["/signin", "/signin?signedOut=other"]) {
    expect(await (await site.fetch(path)).text()).not.toContain("You are signed out");
  }
});

test("the age gate remembers the requested page, but only inside this site", async () => {
  const jar = new Jar(site);
  const inside = await jar.post("/enter", { next: "/content/video?sort=new" });
  const looked = await jar.visit(inside.headers.get("location") ?? "");
  expect(looked.headers.get("location")).toBe("/content/video?sort=new");
  expect(jar.get("adult")).toBeDefined();
  const outside = await jar.post("/enter", { next: "//evil.example" });
  expect(outside.headers.get("location")).toBe("/");
  expect(await adultCookie()).toContain("adult=");
});

function verifyPath(token: string): string {
  return `/signin/verify?${new URLSearchParams({ token })}`;
}
