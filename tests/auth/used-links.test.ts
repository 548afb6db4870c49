import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { MAX_TRIES } from "#app/domain/auth/sign-in-requests.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits, signinTokens } from "#db/schema/auth.ts";
import { createMember, letSignInGrowOld } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { requestSignIn, sessionsOf } from "../support/auth/sign-in.ts";
import { Jar } from "../support/cookie-jar.ts";
import { newestMail } from "../support/mails.ts";

const CODE_PAGE = 'href="/signin/code"';

const site = await startSite();
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

/** Programs and browsers that press the button of the link's page before the person does. */
const OTHERS: Record<string, { userAgent: string; device: string }> = {
  "a scanner in a Chrome on Windows": {
    userAgent:
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
    device: "Chrome on Windows",
  },
  "the browser inside a mail program on a phone": {
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/320.0.644 Mobile/15E148 Safari/604.1",
    device: "Google Search on iOS",
  },
  "a program that says nothing about itself": { userAgent: "", device: "A browser on an unknown system" },
};

async function press(email: string, userAgent = ""): Promise<Jar> {
  const other = new Jar(site, { "User-Agent": userAgent });
  const { token } = await newestMail(email);
  expect((await other.post("/signin/verify", { token, confirm: "yes" })).status).toBe(303);
  return other;
}

async function linkPage(jar: Jar, token: string): Promise<string> {
  return (await (await jar.visit(verifyPath(token))).text()).replaceAll("<!-- -->", "");
}

describe("after somebody else pressed the button of the link's page", () => {
  test.each(Object.keys(OTHERS))(
    "(%s) the code still signs in the browser that requested it",
    async (name) => {
      const { userAgent, device } = OTHERS[name] ?? expect.unreachable();
      const email = `pressed-${Object.keys(OTHERS).indexOf(name)}@example.com`;
      const jar = await requestSignIn(site, email);
      const { token, code } = await newestMail(email);
      const other = await press(email, userAgent);

      const here = await linkPage(jar, token);
      expect(here).toContain(device);
      expect(here).toMatch(/used on <strong>\d+ \w+ \d{4}, \d\d:\d\d UTC<\/strong>/);
      expect(here).toContain(CODE_PAGE);
      expect(here).not.toContain('action="/signin/verify"');
      const inAnother = await linkPage(new Jar(site), token);
      expect(inAnother).toContain("Firefox on Linux");
      expect(inAnother).not.toContain(CODE_PAGE);

      expect((await other.post("/signin/code", { code })).status).not.toBe(303);
      expect((await jar.post("/signin/code", { code })).status).toBe(303);
      expect(await sessionsOf(email)).toBe(2);
    },
  );

  test("neither link nor code signs in a second time, before or after the code", async () => {
    const email = "once@example.com";
    const jar = await requestSignIn(site, email);
    const { token, code } = await newestMail(email);
    const other = await press(email);
    const again = async () => {
      const posts = [jar, other, new Jar(site)].map(async (one) => {
        return (await one.post("/signin/verify", { token, confirm: "yes" })).status;
      });
      expect(await Promise.all(posts)).toEqual([422, 422, 422]);
    };
    await again();
    expect((await jar.post("/signin/code", { code })).status).toBe(303);
    await again();
    expect((await jar.post("/signin/code", { code })).status).not.toBe(303);
    expect(await sessionsOf(email)).toBe(2);
  });

  test("wrong codes keep counting, so five of them end the code", async () => {
    const email = "counted@example.com";
    const jar = await requestSignIn(site, email);
    const { code } = await newestMail(email);
    for (let tries = 0; tries < 2; tries += 1) await jar.post("/signin/code", { code: "00000000" });
    await press(email);
    for (let tries = 2; tries < MAX_TRIES; tries += 1) await jar.post("/signin/code", { code: "00000000" });
    expect((await jar.post("/signin/code", { code })).status).toBe(422);
    expect(await sessionsOf(email)).toBe(1);
  });

  test("a late second visit to the link's page shows that the code has ended, too", async () => {
    const email = "over@example.com";
    const jar = await requestSignIn(site, email);
    const { token, code } = await newestMail(email);
    await press(email);
    await db
      .update(signinTokens)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(signinTokens.email, email));
    const page = await linkPage(jar, token);
    expect(page).toContain("Ask for a new link");
    expect(page).not.toContain(CODE_PAGE);
    expect((await jar.post("/signin/code", { code })).status).toBe(422);
  });

  test("the code page says that the link was used, and that the code still works", async () => {
    const email = "waiting@example.com";
    const jar = await requestSignIn(site, email);
    await press(email);
    const page = (await (await jar.visit("/signin/code")).text()).replaceAll("<!-- -->", "");
    expect(page).toMatch(/link was used on .* by a browser on an unknown system.* code still works/s);
  });

  test("a member who confirms that it is them can still type the code", async () => {
    const { email, id } = await createMember({ email: "confirming@example.com" });
    const jar = await requestSignIn(site, email);
    await jar.post("/enter", { next: "/" });
    await jar.post("/signin/code", { code: (await newestMail(email)).code });
    await letSignInGrowOld(id);
    expect((await jar.post("/user/confirm", { for: "delete" })).status).toBe(303);
    const { code } = await newestMail(email);
    await press(email);
    const confirmed = await jar.post("/signin/code", { code });
    expect(confirmed.headers.get("location")).toBe("/user/confirm?for=delete");
    const back = await jar.visit("/user/confirm?for=delete");
    expect(back.headers.get("location")).toMatch(/^\/user\/account\?saved=confirmed-delete/);
  });
});

// A code that is used first ends the link; a link that is used first elsewhere leaves the code.
test("the link and the code of one email, used at the same moment, sign in at most one browser each", async () => {
  const email = "at-once@example.com";
  const jar = await requestSignIn(site, email);
  const { token, code } = await newestMail(email);
  const others = Array.from({ length: 8 }, () => new Jar(site));
  const statuses = await Promise.all([
    ...others.map((one) => one.post("/signin/verify", { token, confirm: "yes" })),
    ...others.map(() => jar.post("/signin/code", { code })),
  ]).then((answers) => answers.map(({ status }) => status));
  const signedIn = (some: number[]) => some.filter((status) => status === 303).length;
  expect(statuses.filter((status) => status !== 303 && status !== 422)).toEqual([]);
  expect(signedIn(statuses.slice(8)), "by the code").toBe(1);
  expect(signedIn(statuses.slice(0, 8)), "by the link").toBeLessThanOrEqual(1);
  expect(await sessionsOf(email)).toBe(signedIn(statuses));
});

test("a link says that its code was used, and a link used in the browser that requested it ends the code", async () => {
  const byCode = await requestSignIn(site, "by-code@example.com");
  const mail = await newestMail("by-code@example.com");
  expect((await byCode.post("/signin/code", { code: mail.code })).status).toBe(303);
  const page = await linkPage(new Jar(site), mail.token);
  expect(page).toContain("Firefox on Linux");
  expect(page).toContain("Ask for a new link");

  const byLink = await requestSignIn(site, "by-link@example.com");
  const { token, code } = await newestMail("by-link@example.com");
  expect((await byLink.post("/signin/verify", { token })).status).toBe(303);
  expect((await byLink.post("/signin/code", { code })).headers.get("location")).toBe("/signin");
  expect(await sessionsOf("by-link@example.com")).toBe(1);
  expect(await linkPage(byLink, token)).toContain("You are signed in");
});

function verifyPath(token: string): string {
  return `/signin/verify?${new URLSearchParams({ token })}`;
}
