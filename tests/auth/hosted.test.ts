import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";
import { newestMail } from "../support/mails.ts";

const APP_URL = "https://peony.example";
const OWN = { Origin: APP_URL };

const SMTP_URL = "smtp://127.0.0.1:1";
const OWNER_EMAIL = "owner-at-home@example.com";

let site: Site;
let withoutContact: Site;
beforeAll(async () => {
  [site, withoutContact] = await Promise.all([
    startSite({ env: { APP_URL, SMTP_URL } }),
    startSite({ env: { APP_URL, SMTP_URL, OWNER_EMAIL, CONTACT_EMAIL: "" } }),
  ]);
});
afterAll(() => Promise.all([site.stop(), withoutContact.stop()]));

test.each(["/", "/enter", "/about", "/terms", "/privacy", "/2257", "/cancel", "/no-such-page"])(
  "%s does not show the owner's own address, nor a link without an address",
  async (path) => {
    const html = await (await withoutContact.fetch(path, { redirect: "follow" })).text();
    expect(html).not.toContain(OWNER_EMAIL);
    expect(html).not.toContain("mailto:");
    expect(html).not.toContain("{{");
    const asksToWrite = ["/about", "/terms", "/privacy", "/2257"].includes(path);
    if (asksToWrite) expect(html).toContain("the operator of this site");
  },
);

test("a page without styles offers no empty address either", async () => {
  const headers = { accept: "text/html", host: "other.example", "x-forwarded-host": "other.example" };
  const html = await (await withoutContact.fetch("/", { headers })).text();
  expect(html).not.toContain(OWNER_EMAIL);
  expect(html).not.toContain("mailto:");
});

test("a hosted site has no outbox and no link to it", async () => {
  const answer = await site.fetch("/outbox");
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain("token=");
  expect(await (await site.fetch("/outbox.data")).text()).not.toContain("token=");
  const jar = new Jar(site);
  await jar.post("/signin", { email: "hosted@example.com", next: "/" }, OWN);
  for (const path of ["/signin", "/signin/code"])
    expect(await (await jar.visit(path)).text()).not.toContain("/outbox");
});

test("every cookie of a hosted site is only for this host, only for https, and hidden from scripts", async () => {
  await db.delete(rateLimits);
  const jar = new Jar(site);
  const answers = [
    await jar.post("/enter", { next: "/" }, OWN),
    await jar.post("/api/color-mode", { theme: "dark", next: "/" }, OWN),
    await jar.post("/signin", { email: "cookies@example.com", next: "/" }, OWN),
    await jar.post("/signin/code", { code: (await newestMail("cookies@example.com")).code }, OWN),
    await jar.post("/signout", {}, OWN),
  ];
  const lines = answers.flatMap(({ headers }) => headers.getSetCookie());
  const names = new Set(lines.map((line) => line.split("=")[0]));
  expect(names).toEqual(
    new Set(["browser", "adult", "theme", "signin", "session"].map((name) => `__Host-${name}`)),
  );
  for (const line of lines) {
    expect(line).toMatch(/; Path=\//);
    expect(line).toMatch(/; HttpOnly/);
    expect(line).toMatch(/; Secure/);
    expect(line).toMatch(/; SameSite=Lax/);
    expect(line).not.toMatch(/; Domain=/);
    expect(line.length).toBeLessThan(512);
  }
  expect(answers[0]?.headers.get("strict-transport-security")).toMatch(/max-age=31536000/);
});

test("an emailed link starts with the site's own address", async () => {
  await db.delete(rateLimits);
  await new Jar(site, { "X-Forwarded-Proto": "http" }).post(
    "/signin",
    { email: "host@example.com", next: "/" },
    OWN,
  );
  const { link } = await newestMail("host@example.com");
  expect(link).toMatch(/^https:\/\/peony\.example\/signin\/verify\?token=/);
});
