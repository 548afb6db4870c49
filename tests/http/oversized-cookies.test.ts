import { chromium } from "playwright";
import { afterAll, expect, test } from "vitest";
import { startSite } from "../support/site.ts";

const site = await startSite();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ["--no-sandbox"] });
afterAll(async () => {
  await browser.close();
  await site.stop();
});

test.each([40, 150])(
  "a browser with %i large cookies gets one error page, and its next visit works",
  async (count) => {
    const context = await browser.newContext();
    // localhost is a secure context, like a site over https.
    const origin = site.origin.replace("127.0.0.1", "localhost");
    const cookies = Array.from({ length: count }, (_, index) => ({
      name: `c${index}`,
      value: "x".repeat(900),
      url: origin,
      httpOnly: true,
    }));
    await context.addCookies(cookies);
    const page = await context.newPage();
    const refused = await page.goto(`${origin}/about`);
    expect(refused?.status()).toBe(431);
    expect(await page.textContent("body")).toContain("Reload this page");
    // The page does not redirect by itself.
    expect(page.url()).toBe(`${origin}/about`);

    const next = await page.reload();
    expect(next?.status()).toBe(200);
    expect((await context.cookies(origin)).filter(({ name }) => /^c\d/.test(name))).toEqual([]);
    await context.close();
  },
);
