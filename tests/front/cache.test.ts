import { eq } from "drizzle-orm";
import { chromium } from "playwright";
import { afterAll, expect, test } from "vitest";
import { PENDING } from "#app/domain/account/pending-deletion.server.ts";
import { undoLink } from "#app/domain/account/undo-link.server.ts";
import { cancelLink, withdrawLink } from "#app/domain/billing/subscriptions/signed-links.server.ts";
import { paths } from "#app/paths.ts";
import { signedCookie } from "#app/web/request/signed-cookie.server.ts";
import { themeSession } from "#app/web/session/color-mode.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { begin, prepareOffer } from "#tests/support/billing/stored-subscription.ts";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { createPhotoSet, createVideo } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie } from "#tests/support/people.ts";

const LIST = paths.list("video");
const MONTH_SECONDS = 30 * 24 * 3600;
await createVideo({ access: "free" });
const set = await createPhotoSet({ previews: 1 });
const site = await startFrontSite({ LOG_LEVEL: "info" });
afterAll(() => site.stop());
const [adult, other] = [await adultCookie(), await adultCookie()];
/** A proof of an earlier release, without the part that nginx verifies. */
const former = adult.replace(/\d{10}\.[\w-]{22}\./, "");

test("two browsers that have passed the gate get one page, without a nonce in it", async () => {
  const [first, second] = await fetchTwice(adult, other);
  expect([first.text, second.text]).toEqual([second.text, expect.stringContaining('nonce=""')]);
  expect(second.rendered).toBe(0);
  expect(first.policy).toMatch(/script-src 'self' 'sha256-/);
  expect(first.policy).not.toContain("nonce-");
});

test("a shared page runs in a browser under the policy of its hashes", async () => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH,
    args: ["--no-sandbox"],
  });
  try {
    const context = await browser.newContext();
    const cookies = adult.split("; ").map((pair) => pair.split(/=(.*)/s));
    await context.addCookies(
      cookies.map(([name = "", value = ""]) => ({ name, value, domain: "127.0.0.1", path: "/" })),
    );
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    const answer = await page.goto(site.origin + LIST);
    expect(answer?.headers()["content-security-policy"]).toContain("sha256-");
    await page.waitForSelector("body:not(.loading)");
    // The videos of this test have no covers.
    expect(problems.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
  } finally {
    await browser.close();
  }
});

test.each([
  ["a forged proof", () => adult.replace(/adult=[^;]+/, "adult=eyJnaXZlbkF0Ijox.forged")],
  ["another browser's proof", () => `${adult.split("; ")[0]}; ${other.split("; ")[1]}`],
  ["a proof without its browser", () => adult.split("; ")[0] ?? ""],
  ["no proof", () => "browser=x"],
  ["an expired proof", expiredProof],
])("%s gets the gate, though the page is cached", async (_, cookieOf) => {
  // nginx keeps pages apart for proofs that it verifies and for those that it asks about.
  const kept = [await ask(adult), await ask(former), await ask(former)];
  expect(kept.map(({ status }) => status)).toEqual([200, 200, 200]);
  const answer = await ask(await cookieOf());
  expect(answer.status).toBe(302);
  expect(answer.text).toBe("");
});

test("a member neither gets a shared page nor leaves one behind", async () => {
  const member = await signedInCookie((await createMember({ fullName: "Zelda Quist" })).id);
  await ask(adult);
  const own = await ask(member);
  expect(own.policy).toContain("nonce-");
  expect(own.text).toContain("Zelda Quist");
  expect((await ask(adult)).text).not.toContain("Zelda Quist");
});

test("colour modes, other cookies and addresses have pages of their own", async () => {
  const dark = `${adult}; ${(await darkCookie()).split(";")[0]}`;
  const [light] = await fetchTwice(adult, dark);
  expect((await ask(dark)).text).toContain('data-mantine-color-scheme="dark"');
  expect(light.text).toContain('data-mantine-color-scheme="light"');
  const personal = await ask(`${adult}; signin=x`);
  expect(personal.policy).toContain("nonce-");
  const named = await site.fetch(`http://localhost:${site.port}${LIST}`, { headers: { cookie: adult } });
  expect(named.status).toBe(200);
});

test.each([
  paths.home(),
  paths.creators(),
  paths.subscribe(),
  paths.subscribeCancelled(),
  paths.signIn(),
  paths.cancel(),
  paths.withdraw(),
  paths.keepAccount(),
  paths.photo(set.slug, 1),
])("%s is rendered once for all visitors", async (path) => {
  const [one, two] = [await ask(adult, path), await ask(other, path)];
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(one.policy).toMatch(/script-src 'self' 'sha256-/);
  expect([two.policy, two.text]).toEqual([one.policy, one.text]);
});

test("the pages of mailed links are rendered for each visitor", async () => {
  await prepareOffer();
  const { subscription } = await begin();
  const links = [cancelLink(subscription), withdrawLink(subscription), await keepLink()].map(
    (href) => new URL(href),
  );
  const mailed = links.map(({ pathname, search }) => pathname + search);
  for (const path of mailed) {
    const [one, two] = await Promise.all([ask(adult, path), ask(adult, path)]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.policy).toContain("nonce-");
    expect(one.policy).not.toBe(two.policy);
  }
});

test("a change shows within two seconds", async () => {
  await ask(adult);
  await createVideo({ access: "free", title: "Fresh from the sea" });
  await expect.poll(async () => (await ask(adult)).text, { timeout: 2_500 }).toContain("Fresh from the sea");
});

async function ask(cookie: string, path = LIST) {
  const answer = await site.fetch(path, { headers: { cookie, "accept-encoding": "gzip" } });
  const policy = answer.headers.get("content-security-policy") ?? "";
  return { status: answer.status, text: await answer.text(), policy };
}

/** The page for two browsers in one second, and how many the site itself has made for the second. */
async function fetchTwice(first: string, second: string) {
  // The answer about the cookies is known by then, so that the pages come in one moment.
  await Promise.all([ask(first), ask(second)]);
  const one = await ask(first);
  const renderedBefore = renderings();
  const two = await ask(second);
  return [one, { ...two, rendered: renderings() - renderedBefore }] as const;
}

function renderings(): number {
  return site.direct.output().split('"path":"/content/$type"').length;
}

async function expiredProof(): Promise<string> {
  const [, browser = ""] = adult.split("; ");
  const proof = await signedCookie("adult", MONTH_SECONDS).parse(former);
  const old = { ...proof, givenAt: Math.floor(Date.now() / 1000) - MONTH_SECONDS };
  return `${(await signedCookie("adult", MONTH_SECONDS).serialize(old)).split(";")[0]}; ${browser}`;
}

async function keepLink(): Promise<string> {
  const { id } = await createMember();
  const marked = db.update(users).set({ deletionRequestedAt: new Date() }).where(eq(users.id, id));
  const [pending] = await marked.returning(PENDING);
  if (!pending?.requestedAt) throw new Error("no deletion");
  return undoLink({ ...pending, requestedAt: pending.requestedAt });
}

async function darkCookie(): Promise<string> {
  const session = await themeSession(new Request("http://localhost/"));
  session.setTheme("dark" as Parameters<typeof session.setTheme>[0]);
  return session.commit();
}
