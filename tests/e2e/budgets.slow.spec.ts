import { expect, type Page, test } from "@playwright/test";
import { readToTheEnd, watchShifts } from "../support/browser/layout.ts";
import { leaveTraces } from "../support/browser/pages.ts";
import { enter, signInAsNewSubscriber } from "../support/browser/people.ts";
import { share } from "../support/browser/shared-site.ts";
import { chooseSite, ownSite, SITES } from "../support/browser/sites.ts";
import { BYTE_BUDGETS } from "../support/browser-build.ts";

const OPEN_LISTS = ["/content/video", "/content/photoSet", "/creators"];
const OWN_LISTS = ["/user/favorites", "/user/history"];
/** Long enough for every prefetch to begin. */
const AHEAD_MS = 1_500;

// As the image sends them: without nginx, files are compressed less, and small ones not at all.
const behindNginx = SITES.find(({ front }) => front === "nginx") ?? null;
test.use({ baseURL: `http://localhost:${behindNginx?.port}` });
test.describe.configure({ timeout: 240_000 });
let leave = async () => {};
test.beforeEach(async () => {
  chooseSite(behindNginx);
  leave = await share(ownSite());
});
test.afterEach(async () => {
  chooseSite(null);
  await leave();
});

test("a list loads within its budget and nothing on it moves, signed out and signed in", async ({ page }) => {
  await watchShifts(page);
  await enter(page);
  await page.goto("/creators");
  const profile = await page.getByRole("article").first().getByRole("link").getAttribute("href");
  const lists = [...OPEN_LISTS, profile ?? "", `${profile}?tab=photos`];
  for (const path of lists) await expectWithinBudget(page, path, "nobody");

  await page.context().clearCookies();
  await signInAsNewSubscriber(page);
  await leaveTraces(page);
  for (const path of [...lists, ...OWN_LISTS]) await expectWithinBudget(page, path, "a member");
});

/** Loads the page with an empty cache and scrolls to its end, so that everything that can be prefetched is. */
async function expectWithinBudget(page: Page, path: string, who: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.clearBrowserCache");
  await devtools.detach();
  expect((await page.goto(path))?.status()).toBe(200);
  expect(new URL(page.url()).pathname).toBe(path.replace(/\?.*/, ""));
  expect.soft(await readToTheEnd(page), `${path} for ${who}`).toEqual([]);
  await page.waitForTimeout(AHEAD_MS);
  await page.waitForLoadState("networkidle");
  const loaded = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[]).map((entry) => ({
      path: new URL(entry.name).pathname,
      bytes: entry.encodedBodySize,
      isFresh: entry.transferSize > 0,
    })),
  );
  for (const [kind, budget] of Object.entries(BYTE_BUDGETS)) {
    const files = new Map(
      loaded.filter((one) => one.path.endsWith(`.${kind}`)).map((one) => [one.path, one]),
    );
    const total = [...files.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    expect(files.size, kind).toBeGreaterThan(0);
    expect([...files.values()].filter(({ isFresh, bytes }) => !isFresh && bytes === 0)).toEqual([]);
    expect.soft(total, `${kind} of ${path} for ${who}`).toBeLessThanOrEqual(budget);
  }
}
