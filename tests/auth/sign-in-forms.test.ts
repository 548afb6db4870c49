import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { rateLimits, signinTokens } from "#db/schema/auth.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { requestSignIn, sessionsOf } from "../support/auth/sign-in.ts";
import { Jar } from "../support/cookie-jar.ts";
import { escaped, problemOf, shownValue } from "../support/forms.ts";
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

test("a newcomer signs in by the code and arrives at the page they wanted", async () => {
  const jar = new Jar(site);
  await jar.post("/signin", { email: "New@Example.com", next: "/user/favorites" });
  const { code } = await newestMail("new@example.com");
  const response = await jar.post("/signin/code", { code: code.toLowerCase() });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/user/favorites"]);
  expect(await sessionsOf("new@example.com")).toBe(1);
});

test.each([
  ["nothing", ""],
  ["no address", "ada lovelace"],
  ["two addresses", "a@example.com, b@example.com"],
  ["markup", '"><script>alert(1)</script>@example.com'],
  ["more than an address can have", `${"a".repeat(250)}@example.com`],
])(
  "%s is not an address: the page says so beside the field, keeps the text and sends no mail",
  async (_, email) => {
    const before = await countSignIns();
    const refused = await new Jar(site).post("/signin", { email, next: "/user/favorites" });
    const page = await refused.text();
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([422, []]);
    expect(shownValue(page, "email")).toBe(escaped(email));
    expect(page).toContain('name="next" value="/user/favorites"');
    expect(problemOf(page, "email")).toBe("Please type one complete address, like you@example.com.");
    expect(await countSignIns()).toBe(before);
  },
);

test("a wrong code is refused beside the field, and the right one still signs in", async () => {
  const jar = await requestedBy("typo@example.com");
  const { code } = await newestMail("typo@example.com");
  for (const [typed, why] of [
    ["0000-<b>", "That is not the code we sent. Please look at the newest mail and try again."],
    [" ", "Please type the code from the mail."],
  ] as const) {
    const refused = await jar.post("/signin/code", { code: typed });
    const page = await refused.text();
    expect([refused.status, shownValue(page, "code")]).toEqual([422, escaped(typed)]);
    expect(problemOf(page, "code")).toBe(why);
    expect(page).toContain("t…@example.com");
  }
  expect((await jar.post("/signin/code", { code })).status).toBe(303);
});

test("an expired code is refused beside the field, with a link to a new one", async () => {
  const jar = await requestedBy("old@example.com");
  const { code } = await newestMail("old@example.com");
  await db
    .update(signinTokens)
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where(eq(signinTokens.email, "old@example.com"));
  const refused = await jar.post("/signin/code", { code });
  const page = await refused.text();
  expect(refused.status).toBe(422);
  expect(problemOf(page, "code")).toMatch(/expired .* Please ask for a new one\.$/);
  expect(page).toMatch(/<a[^>]*href="\/signin">Ask again/);
});

test("a form with an unknown field is refused", async () => {
  const jar = await requestedBy("else@example.com");
  const { code } = await newestMail("else@example.com");
  for (const [path, fields] of [
    ["/signin/code", { code, __intent__: "{" }],
    ["/signin", { email: "else@example.com", role: "owner" }],
  ] as const) {
    const refused = await jar.post(path, fields);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("The form does not match this page.");
  }
  expect(await countMails("else@example.com")).toBe(1);
});

test("a filled hidden field gets the usual response, and no mail", async () => {
  const answers = [];
  for (const [email, website] of [
    ["person@example.com", ""],
    ["program@example.com", "https://spam.example"],
  ] as const) {
    const response = await new Jar(site).post("/signin", { email, next: "/about", website });
    const cookies = response.headers.getSetCookie().map((line) => line.replace(/=[^;]+/, "="));
    answers.push([response.status, response.headers.get("location"), cookies, await response.text()]);
  }
  expect(answers[0]?.slice(0, 2)).toEqual([303, "/signin/code"]);
  expect(answers[1]).toEqual(answers[0]);
  expect(await countMails("person@example.com")).toBe(1);
  expect(await countMails("program@example.com")).toBe(0);
  expect(await db.$count(signinTokens, eq(signinTokens.email, "program@example.com"))).toBe(0);
});

test("mail, pages and privacy say the same true number of minutes", async () => {
  const email = "minutes@example.com";
  const jar = await requestedBy(email);
  const [mail] = await db.select().from(mailOutbox).where(eq(mailOutbox.to, email));
  const pages = ["/signin/code", "/signin/verify?token=x", "/privacy"].map(async (path) => {
    return (await (await jar.visit(path)).text()).replaceAll("<!-- -->", "");
  });
  const [row] = await db.execute<{ minutes: number }>(sql`
    SELECT extract(epoch FROM expires_at - created_at)::int / 60 AS minutes FROM signin_tokens WHERE email = ${email}`);
  for (const text of [mail?.text, mail?.html, ...(await Promise.all(pages))])
    expect(text).toContain(`${row?.minutes} minutes`);
  expect(row?.minutes).toBe(30);
});

test("no sign-in page is for search engines", async () => {
  const jar = await requestedBy("robots@example.com");
  for (const path of ["/signin", "/signin/code", "/signin/verify?token=x", "/outbox"])
    expect(await (await jar.visit(path)).text(), path).toContain('<meta name="robots" content="noindex"/>');
});

async function countSignIns(): Promise<number> {
  return db.$count(signinTokens);
}
