import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { paths } from "#app/paths.ts";
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
  site = await startSite({ env: { LOG_LEVEL: "info" } });
});
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

const requestedBy = (email: string) => requestSignIn(site, email);

test("a newcomer signs in with the code and arrives at the requested page", async () => {
  const jar = new Jar(site);
  await jar.post("/signin", { email: "New@Example.com", next: "/user/favorites" });
  const { code } = await newestMail("new@example.com");
  const response = await jar.post("/signin/code", { code: code.toLowerCase() });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/user/favorites"]);
  expect(await sessionsOf("new@example.com")).toBe(1);
});

test("who has chosen a plan arrives at it, also after a mistake in the address", async () => {
  const jar = new Jar(site);
  const fields = { plan: "price_1", next: "/content/video/one" };
  const refused = await (await jar.post("/signin", { ...fields, email: "chooser" })).text();
  for (const [name, value] of Object.entries(fields))
    expect(refused).toContain(`<input type="hidden" name="${name}" value="${value}"/>`);
  await jar.post("/signin", { ...fields, email: "chooser@example.com" });
  const { code } = await newestMail("chooser@example.com");
  const response = await jar.post("/signin/code", { code });
  const to = new URL(response.headers.get("location") ?? "", "http://peony.example");
  expect([to.pathname, Object.fromEntries(to.searchParams)]).toEqual(["/subscribe", fields]);
});

test.each([
  ["nothing", ""],
  ["no address", "ada lovelace"],
  ["two addresses", "a@example.com, b@example.com"],
  ["markup", '"><script>alert(1)</script>@example.com'],
  ["more than an address can have", `${"a".repeat(250)}@example.com`],
])(
  "%s is not an address: the page says so beside the field, keeps the text and sends no email",
  async (_, email) => {
    const before = await countSignIns();
    const refused = await new Jar(site).post("/signin", { email, next: "/user/favorites" });
    const page = await refused.text();
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([422, []]);
    expect(shownValue(page, "email")).toBe(escaped(email));
    expect(page).toContain('name="next" value="/user/favorites"');
    expect(problemOf(page, "email")).toBe("Please type one complete email address, like you@example.com.");
    expect(await countSignIns()).toBe(before);
  },
);

test("a refused form stays at an address that knows the next page", async () => {
  const here = paths.signIn("/user/favorites");
  for (const path of [here, "/signin"]) {
    expect(await (await site.fetch(path)).text()).toContain(`action="${path}"`);
  }
});

test("after too many emails the form keeps the address and leads to the code that still works", async () => {
  const email = "often@example.com";
  const jar = await requestedBy(email);
  while ((await takePoint("mailByAddress", email)) === null);
  const stranger = await new Jar(site).post("/signin", { email, next: "/user/favorites" });
  const strangersPage = await stranger.text();
  expect([stranger.status, shownValue(strangersPage, "email")]).toEqual([429, email]);
  expect(strangersPage).toContain('name="next" value="/user/favorites"');
  expect(problemOf(strangersPage, "email")).toMatch(/^There were too many tries/);
  // That browser has asked for no email, so the page of the code would lead back.
  expect(strangersPage).not.toContain('href="/signin/code');
  const page = await (await jar.post("/signin", { email, next: "/" })).text();
  expect(page).toContain("If you already have a link or a code, it may still work");
  expect(page).toContain('href="/signin/code"');
  const { code } = await newestMail(email);
  expect((await jar.post("/signin/code", { code })).status).toBe(303);
});

test("a wrong code is refused beside the field, and the right one still signs in", async () => {
  const jar = await requestedBy("typo@example.com");
  const { code } = await newestMail("typo@example.com");
  for (const [typed, why] of [
    ["0000-<b>", "That is not the code we sent. Please check the newest email and try again."],
    [" ", "Please type the code from the email."],
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

test("the code page remembers the requested page when another code is requested", async () => {
  const code = paths.signInCode({ next: "/about" });
  const jar = new Jar(site);
  await jar.post("/signin", { email: "again@example.com", next: "/about" });
  const page = await (await jar.visit(code)).text();
  expect(page).toContain(`action="${code}"`);
  expect(page).toContain(`href="${paths.signIn("/about")}">Ask again`);
  const again = await jar.post(paths.signIn("/about"), { email: "again@example.com", next: "/about" });
  expect(again.headers.get("location")).toBe(code);
  // Its cookie has ended.
  expect((await new Jar(site).visit(code)).headers.get("location")).toBe(paths.signIn("/about"));
});

test("a requested page with a very long address is forgotten, but not the code", async () => {
  const next = `/content/video?q=${"%C3%BC".repeat(300)}`;
  const sent = await new Jar(site).post("/signin", { email: "long@example.com", next });
  expect(sent.headers.get("location")).toBe(paths.noCookies("mail", paths.signInCode()));
});

test("a form with unknown fields is refused, and the log has their number, but no name and no value", async () => {
  const jar = await requestedBy("else@example.com");
  const { code } = await newestMail("else@example.com");
  for (const [path, fields, why] of [
    ["/signin/code", { code, __intent__: "{" }, "sign-in code: unknown fields (1)"],
    [
      "/signin",
      { email: "else@example.com", role: "owner", "my-own-name": "my-own-value" },
      "sign-in: unknown fields (2)",
    ],
  ] as const) {
    const refused = await jar.post(path, fields);
    expect(refused.status).toBe(422);
    const page = (await refused.text()).replaceAll("<!-- -->", "");
    expect(page).toContain("The form does not match this page.");
    const id = /Error id: <code>([0-9a-f-]{36})</.exec(page)?.[1] ?? "no id";
    await expect.poll(() => logLine(id)).toContain(`"why":"${why}"`);
  }
  expect(site.output()).not.toMatch(/my-own|else@example/);
  expect(await countMails("else@example.com")).toBe(1);
});

/** The values that password managers and extensions have put into hidden fields. */
test.each([
  ["an address", "https://ada.example"],
  ["the email address", "ada@example.com"],
  ["a long text", "x".repeat(2_000)],
])(
  "%s in the hidden field is never a silent success: the page says so, and a second button sends the form",
  async (_, filled) => {
    const hidden = hiddenField(await (await new Jar(site).visit("/signin?next=/about")).text());
    const email = `filled-${filled.length}@example.com`;
    const jar = new Jar(site);
    const refused = await jar.post("/signin", { email, next: "/about", [hidden.name]: filled });
    const page = await refused.text();
    expect([refused.status, await countMails(email)]).toEqual([422, 0]);
    expect(page).toMatch(/hidden field .* password manager/s);
    expect(page).toContain("Send it without that field");
    expect(shownValue(page, "email")).toBe(email);
    expect(page).toContain('name="next" value="/about"');
    expect(page).not.toContain(`name="${hidden.name}"`);
    const id = /Error id: <code>([0-9a-f-]{36})</.exec(page.replaceAll("<!-- -->", ""))?.[1] ?? "no id";
    await expect.poll(() => logLine(id)).toContain('"why":"sign-in: hidden field"');
    expect(site.output()).not.toContain(email);

    const sent = await jar.post("/signin", { email, next: "/about" });
    expect([sent.status, sent.headers.get("location"), await countMails(email)]).toEqual([
      303,
      paths.noCookies("mail", paths.signInCode({ next: "/about" })),
      1,
    ]);
  },
);

test("the hidden field has no personal name, and has attributes that password managers respect", async () => {
  const { name, tag } = hiddenField(await (await new Jar(site).visit("/signin")).text());
  expect(name).not.toMatch(
    /name|mail|web|site|url|home|phone|company|address|street|city|zip|user|login|pass|code|fax/i,
  );
  for (const attribute of [
    'autoComplete="off"',
    'data-1p-ignore="true"',
    'data-lpignore="true"',
    'data-bwignore="true"',
    'data-form-type="other"',
    'tabindex="-1"',
  ])
    expect(tag.toLowerCase()).toContain(attribute.toLowerCase());
});

/** The text field that people do not see. */
function hiddenField(page: string): { name: string; tag: string } {
  const [, tag = ""] =
    /aria-hidden="true"[^>]*>.*?(<input[^>]*>)/s.exec(page.slice(page.indexOf('id="sign-in"'))) ?? [];
  return { tag, name: /\sname="([^"]+)"/.exec(tag)?.[1] ?? "" };
}

function logLine(id: string): string {
  return (
    site
      .output()
      .split("\n")
      .find((line) => line.includes(id)) ?? ""
  );
}

test("the email, the pages and the privacy page name the true number of minutes", async () => {
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

test("a link has only letters, digits, hyphens and underscores, and works with a full stop behind it", async () => {
  const jar = await requestedBy("stop@example.com");
  const { link } = await newestMail("stop@example.com");
  const { pathname, search } = new URL(link);
  expect(search).toMatch(/^\?token=[\w-]+$/);
  for (const end of ["", ".", "),"])
    expect(await (await jar.visit(pathname + search + end)).text(), end).toContain(">Sign in</span>");
});

test("a cut link leads to the code of the same email where it was asked for, and is no error in the log", async () => {
  const jar = await requestedBy("cut@example.com");
  const { link } = await newestMail("cut@example.com");
  const { pathname, search } = new URL(link);
  const page = await (await jar.visit((pathname + search).slice(0, -4))).text();
  expect(page).toContain("The same email has a code, which still works in this browser.");
  expect(page).toMatch(/<a[^>]*href="\/signin\/code"[^>]*>(?:<[^>]+>)*Type the code/);
  expect(site.output()).not.toContain('"level":50');
});

test("a link that does not work leads to a new one, not to its code, which has ended too", async () => {
  const page = await (await new Jar(site).visit("/signin/verify?token=x")).text();
  expect(page).toContain("Otherwise, ask for a new one.");
  expect(page).toMatch(/<a[^>]*href="\/signin"[^>]*>(?:<[^>]+>)*Ask for a new link/);
  expect(page).not.toContain("type its code");
});

test("search engines may not index a sign-in page", async () => {
  const jar = await requestedBy("robots@example.com");
  for (const path of ["/signin", "/signin/code", "/signin/verify?token=x", "/outbox"])
    expect(await (await jar.visit(path)).text(), path).toContain('<meta name="robots" content="noindex"/>');
});

async function countSignIns(): Promise<number> {
  return db.$count(signinTokens);
}
