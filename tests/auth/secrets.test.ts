import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LIMITS, takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits, signinTokens } from "#db/schema/auth.ts";
import { createRole } from "#tests/support/database/role.ts";
import { createMember } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";
import { countMails, newestMail } from "../support/mails.ts";

/** A new browser is led past the page that looks for its cookie. */
const FIRST_STEP = paths.noCookies("mail", paths.signInCode());

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

test("the tables store only hashes of links, codes and browser ids", async () => {
  const jar = await requestedBy("hashed@example.com");
  const { token, code } = await newestMail("hashed@example.com");
  const [cookie = ""] = decodeURIComponent(jar.get("browser") ?? "").split(".");
  const secret: string = JSON.parse(Buffer.from(cookie, "base64").toString());
  const [row] = await db.execute<{ stored: string }>(sql`SELECT t::text AS stored FROM signin_tokens t`);
  expect(secret.length).toBeGreaterThanOrEqual(43);
  for (const plain of [token, code, secret]) expect(row?.stored).not.toContain(plain);
});

test("a used link signs nobody in a second time, in either browser, confirmed or not", async () => {
  const jar = await requestedBy("replay@example.com");
  const { token, code } = await newestMail("replay@example.com");
  expect((await jar.post("/signin/verify", { token })).status).toBe(303);
  const other = new Jar(site);
  for (const browser of [jar, other]) {
    expect((await browser.post("/signin/verify", { token })).status).toBe(422);
    expect((await browser.post("/signin/verify", { token, confirm: "yes" })).status).toBe(422);
    expect((await browser.post("/signin/code", { code })).status).not.toBe(303);
  }
  expect(await sessionCount("replay@example.com")).toBe(1);
});

test("exactly one of twenty concurrent posts of one code signs in", async () => {
  const jar = await requestedBy("codes@example.com");
  const { code } = await newestMail("codes@example.com");
  const cookie = jar.header();
  const statuses = await Promise.all(Array.from({ length: 20 }, () => postCode(cookie, code)));
  expect(statuses.filter((status) => status === 303)).toHaveLength(1);
  expect(await sessionCount("codes@example.com")).toBe(1);
});

test("twenty concurrent guesses count as five tries at most", async () => {
  const jar = await requestedBy("guesses@example.com");
  const { code } = await newestMail("guesses@example.com");
  const cookie = jar.header();
  await Promise.all(Array.from({ length: 20 }, (_, guess) => postCode(cookie, `0000000${guess % 10}`)));
  const [row] = await db
    .select({ attempts: signinTokens.attempts })
    .from(signinTokens)
    .where(sql`email = 'guesses@example.com'`);
  expect(row?.attempts).toBe(5);
  await db.delete(rateLimits);
  expect(await postCode(cookie, code)).toBe(422);
});

test("a sign-in request never checks whether somebody is a member, and a failure logs no address", async () => {
  const member = await createMember();
  const databaseUrl = await createRole("peony_blind", "SELECT, INSERT, UPDATE, DELETE", {
    except: "public.users",
  });
  const blind = await startSite({ databaseUrl });
  const answers: unknown[] = [];
  for (const email of [member.email, "no-member@example.com"]) {
    const jar = new Jar(blind);
    const requested = await jar.post("/signin", { email, next: "/" });
    const signingIn = await jar.post("/signin/code", { code: (await newestMail(email)).code });
    answers.push([
      requested.status,
      requested.headers.get("location"),
      await countMails(email),
      signingIn.status,
    ]);
  }
  await blind.stop();
  // The last number proves that this database role cannot read users.
  expect(answers).toEqual([
    [303, FIRST_STEP, 1, 500],
    [303, FIRST_STEP, 1, 500],
  ]);
  expect(blind.output()).toContain("INSERT INTO users");
  expect(blind.output()).not.toContain(member.email);
  expect(blind.output()).not.toContain("no-member");
});

test("a limit outlives the process that counted", async () => {
  const first = await startSite();
  for (let taken = 2; taken < LIMITS.mailByClient.points; taken++)
    await takePoint("mailByClient", "127.0.0.1");
  for (let post = 0; post < 2; post++)
    expect((await new Jar(first).post("/signin", { email: `r${post}@example.com` })).status).toBe(303);
  first.process.kill("SIGKILL");
  const second = await startSite();
  const answer = await new Jar(second).post("/signin", { email: "after@example.com" });
  await Promise.all([first.stop(), second.stop()]);
  expect([answer.status, await countMails("after@example.com")]).toEqual([429, 0]);
});

test("a link requested before the account was deleted does not sign in", async () => {
  const jar = await requestedBy("leaving@example.com");
  const { code } = await newestMail("leaving@example.com");
  await jar.post("/signin/code", { code });
  await jar.post("/enter", { next: "/" });
  const later = await requestedBy("leaving@example.com");
  const { token } = await newestMail("leaving@example.com");
  expect(
    (await jar.post("/user/account", { intent: "delete", confirm: "yes" })).headers.get("location"),
  ).toBe("/keep-account?done=requested");
  expect((await later.post("/signin/verify", { token })).status).toBe(422);
  // Deleting the account ended the other session.
  expect(await sessionCount("leaving@example.com")).toBe(1);
  for (const one of [jar, later]) expect((await one.visit("/user/account")).status).toBe(302);
});

async function requestedBy(email: string): Promise<Jar> {
  const jar = new Jar(site);
  const response = await jar.post("/signin", { email, next: "/" });
  expect(response.headers.get("location")).toBe(FIRST_STEP);
  return jar;
}

async function postCode(cookie: string, code: string): Promise<number> {
  const answer = await site.fetch("/signin/code", {
    method: "POST",
    body: new URLSearchParams({ code }),
    headers: { cookie, origin: site.origin },
  });
  return answer.status;
}

async function sessionCount(email: string): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = ${email}`);
  return row?.count ?? -1;
}
