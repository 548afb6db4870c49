import { expect, type Page, test } from "@playwright/test";
import { readToTheEnd, watchShifts } from "../support/browser/layout.ts";
import { enter, signInAsNewMember } from "../support/browser/people.ts";

/** Long enough for a prefetch that must not happen. */
const AHEAD_MS = 2_000;

test("a creator's page is prefetched once its link is within 200 px of the screen, and not before", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 500 });
  await enter(page);
  const requested = recordData(page);
  await page.goto("/creators");
  const links = page.getByRole("article").getByRole("link");
  const first = await links.first().getAttribute("href");
  const last = await links.last().getAttribute("href");
  await expect.poll(() => requested).toContain(`${first}.data`);

  await scrollUntilBelow(page, last, 210);
  await page.waitForTimeout(AHEAD_MS);
  expect(requested).not.toContain(`${last}.data`);
  await scrollUntilBelow(page, last, 190);
  await expect.poll(() => requested).toContain(`${last}.data`);
});

test("the header's lists are prefetched while their links are visible, and a click shows the prefetched page", async ({
  page,
}) => {
  await enter(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await leaveSite(page);
  const requested = recordData(page);
  const lists = ["/content/photoSet.data", "/content/video.data", "/creators.data"];
  await page.goto("/about");
  await page.waitForTimeout(AHEAD_MS);
  expect(requested).toEqual([]);
  await page.locator("summary", { hasText: "Menu" }).click();
  await expect.poll(() => requested.toSorted()).toEqual(lists);

  await leaveSite(page);
  await page.setViewportSize({ width: 1280, height: 844 });
  requested.length = 0;
  await page.goto("/privacy");
  await expect.poll(() => requested.toSorted()).toEqual(lists);
  await page.waitForLoadState("networkidle");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Creators" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Creators");
  const sizes = () =>
    page.evaluate(() =>
      (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
        .filter(({ name }) => new URL(name).pathname === "/creators.data")
        .map(({ transferSize }) => transferSize),
    );
  // One request is the prefetch; the other is the click, which the browser's cache answered.
  await expect.poll(sizes).toEqual([expect.any(Number), 0]);
});

test("a video or a photo is never prefetched", async ({ page }) => {
  await watchShifts(page);
  await enter(page);
  const requested = recordData(page);
  await page.goto("/content/photoSet");
  const set = await page
    .getByRole("article")
    .first()
    .getByRole("heading")
    .getByRole("link")
    .getAttribute("href");
  for (const path of ["/", "/content/video", "/content/photoSet", set ?? "", `${set}/2`]) {
    await page.goto(path);
    await readToTheEnd(page);
    await page.waitForTimeout(AHEAD_MS);
  }
  expect(requested.length).toBeGreaterThan(0);
  expect(requested.filter((path) => /^\/content\/\w+\/./.test(path))).toEqual([]);
});

test("search results are not prefetched, because each counts as a search by the visitor", async ({
  page,
}) => {
  await enter(page);
  await leaveSite(page);
  const requested: URLSearchParams[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/content/video.data") requested.push(searchParams);
  });
  await page.goto("/content/video?q=nothing-at-all&access=free");
  await expect(page.getByRole("link", { name: "Remove: Free" })).toBeInViewport();
  await expect.poll(() => requested.some((query) => query.get("access") === "free")).toBe(true);
  await page.waitForTimeout(AHEAD_MS);
  expect(requested.filter((query) => query.has("q"))).toEqual([]);
});

test("the tabs of favorites count a heart that was just taken away", async ({ page }) => {
  await signInAsNewMember(page, "/content/video");
  const hearts = page.getByRole("article").getByRole("button", { name: /^Favorite/ });
  for (const heart of [hearts.nth(0), hearts.nth(1)]) {
    const saved = page.waitForResponse((answer) => answer.url().endsWith("/api/favorites"));
    await heart.click();
    await saved;
  }
  await page.goto("/user/favorites");
  const tabs = page.getByRole("navigation", { name: "Kinds of favorites" });
  await tabs.getByRole("link", { name: "Videos (2)" }).click();
  await expect(page).toHaveURL(/type=video/);
  await hearts.first().click();
  await expect(tabs).toContainText("Videos (1)");
  await tabs.getByRole("link", { name: "Works (1)" }).click();
  await expect(page).toHaveURL(/favorites$/);
  await expect(tabs).toContainText("Works (1)");
  await expect(page.getByRole("article")).toHaveCount(1);
});

test("a page prefetched before the gate does not lead back to it", async ({ page }) => {
  const answers: string[] = [];
  page.on("response", (response) => answers.push(new URL(response.url()).pathname));
  await page.goto("/enter?next=/content/video");
  await expect.poll(() => answers).toContain("/content/video.data");
  await page.getByRole("button", { name: /enter/i }).click();
  await expect(page).toHaveURL(/\/content\/video$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Videos");
});

/** A page that is about to be replaced must not prefetch anything more. */
async function leaveSite(page: Page): Promise<void> {
  await page.goto("about:blank");
}

/** Records the paths of the scripts' data requests. */
function recordData(page: Page): string[] {
  const requested: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".data")) requested.push(pathname);
  });
  return requested;
}

/** Scrolls so that a link's upper edge is this many pixels below the screen. */
async function scrollUntilBelow(page: Page, href: string | null, pixels: number): Promise<void> {
  await page.locator(`article a[href="${href}"]`).evaluate((link, below) => {
    window.scrollBy({
      top: link.getBoundingClientRect().top - window.innerHeight - below,
      behavior: "instant",
    });
  }, pixels);
  const left = await page
    .locator(`article a[href="${href}"]`)
    .evaluate((link) => link.getBoundingClientRect().top - window.innerHeight);
  expect(Math.abs(left - pixels)).toBeLessThan(2);
}
