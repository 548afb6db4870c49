import { type Browser, type BrowserContext, expect, type Page, type Request, test } from "@playwright/test";
import { withDatabase } from "../support/browser/database.ts";
import { signIn, signInAsNewSubscriber } from "../support/browser/people.ts";
import { play } from "../support/browser/progress.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { ownSite } from "../support/browser/sites.ts";

const LIVE = "/api/live";
const CHANGES_EVERY_MS = 800;
const devices: BrowserContext[] = [];

test.afterEach(async () => {
  await Promise.all(devices.splice(0).map((context) => context.close()));
});

test("a favorite of one device appears on the other, which keeps playing, and two tabs share a connection", async ({
  page,
  browser,
}) => {
  const email = await signInAsNewSubscriber(page);
  const other = await otherDevice(browser, email);
  await openFirstVideo(other);
  const connections = countConnections(other.context());
  const tab = await other.context().newPage();
  await tab.goto(other.url());
  await untilScriptsRun(tab);
  await other.bringToFront();
  await play(other);
  const startedAt = await other.locator("video").evaluate((video: HTMLVideoElement) => {
    video.loop = true;
    video.addEventListener("emptied", () => video.setAttribute("data-emptied", ""));
    return video.currentTime;
  });

  await page.goto(other.url());
  await page
    .getByRole("button", { name: /^Favorite/ })
    .first()
    .click();

  for (const shown of [other, tab]) {
    const favorite = shown.getByRole("button", { name: /^Favorite/ }).first();
    await expect(favorite).toHaveAttribute("aria-pressed", "true");
  }
  const video = other.locator("video");
  await expect(video).toHaveJSProperty("paused", false);
  await expect(video).not.toHaveAttribute("data-emptied");
  await expect
    .poll(() => video.evaluate((player: HTMLVideoElement) => player.currentTime))
    .not.toBe(startedAt);
  expect(connections(), "the tab has opened none").toBe(0);
});

test("the tab that is left hands the connection to the other one", async ({ page, browser }) => {
  const email = await signInAsNewSubscriber(page);
  const other = await otherDevice(browser, email);
  await openFirstVideo(other);
  const tab = await other.context().newPage();
  const connections = countConnections(other.context());
  await tab.goto(other.url());
  await untilScriptsRun(tab);
  expect(connections()).toBe(0);
  await other.close();
  await expect.poll(connections).toBe(1);
});

test("a page closes its connection when it is left, and reopens it when the browser restores the page", async ({
  page,
  browser,
}) => {
  const email = await signInAsNewSubscriber(page);
  const other = await otherDevice(browser, email);
  // A connection of the page before may end only now, so each end is matched with its beginning.
  const opened = new Set<Request>();
  const ended = new Set<Request>();
  other.on("request", (request) => request.url().endsWith(LIVE) && opened.add(request));
  for (const name of ["requestfinished", "requestfailed"] as const) {
    other.on(name as "requestfinished", (request) => opened.has(request) && ended.add(request));
  }
  await openConnected(other, "/about");
  await expect.poll(() => opened.size - ended.size, "the page's own").toBe(1);
  const before = { opened: opened.size, ended: ended.size };
  const turn = (name: string) =>
    other.evaluate((type) => {
      window.dispatchEvent(new PageTransitionEvent(type, { persisted: true }));
    }, name);
  await turn("pagehide");
  await expect.poll(() => ended.size).toBe(before.ended + 1);
  await turn("pageshow");
  await expect.poll(() => opened.size).toBe(before.opened + 1);
});

test("changes that arrive faster than a page loads do not restart its load", async ({ page, browser }) => {
  const email = await signInAsNewSubscriber(page);
  const other = await otherDevice(browser, email);
  await page.goto("/content/video?sort=title");
  await openConnected(other, "/user/favorites");
  const begun: number[] = [];
  other.on("request", (request) => {
    if (new URL(request.url()).pathname === "/user/favorites.data") begun.push(Date.now());
  });
  await other.route("**/*.data*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2 * CHANGES_EVERY_MS));
    await route.continue();
  });
  const buttons = page.getByRole("button", { name: /^Favorite/ });
  for (let index = 0; index < 4; index += 1) {
    await buttons.nth(index).click();
    await page.waitForTimeout(CHANGES_EVERY_MS);
  }
  await expect(other.getByRole("article")).toHaveCount(4);
  const pauses = begun.slice(1).map((at, index) => at - (begun[index] ?? at));
  expect(Math.min(...pauses), "each load has ended before the next").toBeGreaterThan(1.5 * CHANGES_EVERY_MS);
});

test("a device does not save again a photo that another device opened", async ({ page, browser }) => {
  const email = await signInAsNewSubscriber(page);
  const other = await otherDevice(browser, email);
  const set = await firstSet();
  await openConnected(other, `/content/photoSet/${set}/1`);
  const posts: string[] = [];
  other.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/api/views")) posts.push(request.url());
  });
  const heard = other.waitForResponse(
    (response) => new URL(response.url()).pathname === `/content/photoSet/${set}/1.data`,
  );
  await page.goto(`/content/photoSet/${set}/2`);
  await heard;
  await other.waitForTimeout(2_000);
  expect(posts).toEqual([]);
});

test("a sign-out from elsewhere leads a member's page to the sign-in", async ({ page, browser }) => {
  const email = await signInAsNewSubscriber(page);
  const other = await otherDevice(browser, email);
  await openConnected(other, "/user/favorites");
  await withDatabase(
    (sql) => sql`UPDATE sessions SET revoked_at = now()
      WHERE user_id = (SELECT id FROM users WHERE email = ${email})`,
  );
  await expect(other).toHaveURL(/\/signin/);
});

test("the end of access closes the video's page", async ({ page }) => {
  const email = await signInAsNewSubscriber(page);
  await openFirstVideo(page);
  await withDatabase(
    (sql) => sql`UPDATE subscriptions SET status = 'canceled'
      WHERE user_id = (SELECT id FROM users WHERE email = ${email})`,
  );
  await expect(page.locator("video")).toHaveCount(0);
});

async function otherDevice(browser: Browser, email: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: `http://localhost:${ownSite().port}` });
  devices.push(context);
  const other = await context.newPage();
  await signIn(other, email);
  return other;
}

async function openFirstVideo(page: Page): Promise<void> {
  await page.goto("/content/video?sort=title");
  const path = await page.getByRole("article").first().getByRole("link").first().getAttribute("href");
  await openConnected(page, path ?? "/");
  await expect(page.locator("video")).toBeVisible();
}

async function openConnected(page: Page, path: string): Promise<void> {
  const connected = page.waitForResponse(
    (response) => response.url().endsWith(LIVE) && response.frame().url().endsWith(path),
  );
  await page.goto(path);
  await connected;
}

async function firstSet(): Promise<string> {
  return withDatabase(async (sql) => {
    const [set] = await sql<{ slug: string }[]>`
      SELECT slug FROM media WHERE type = 'photoSet' AND status = 'published' AND photo_count > 2
        AND publish_at <= now() ORDER BY title LIMIT 1`;
    return set?.slug ?? "";
  });
}

function countConnections(context: BrowserContext): () => number {
  let count = 0;
  const noted = (page: Page) =>
    page.on("response", (response) => {
      if (response.url().endsWith(LIVE) && response.status() === 200) count += 1;
    });
  for (const page of context.pages()) noted(page);
  context.on("page", noted);
  return () => count;
}
