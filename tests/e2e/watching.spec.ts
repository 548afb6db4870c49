import { expect, type Page, test } from "@playwright/test";
import { findViolations } from "../support/browser/accessibility.ts";
import { enter, signInAsNewSubscriber } from "../support/browser/people.ts";
import { position, savedProgress } from "../support/browser/progress.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";

const TITLE = "Under the Skin of Water";
const MOVED = 0.5;
type Way = "Media Source" | "the browser's own HLS" | "an MP4";

/** The answer to a request for a part of the film while it is failing. */
type Failure = "nothing" | "too many" | 429 | 503 | 403;

const TOO_MANY = "You play as many videos as you may.";

for (const way of ["Media Source", "the browser's own HLS"] as const) {
  test(`a film over ${way} plays, seeks, changes its size and keeps its place`, async ({ page }) => {
    await openVideo(page, way);
    await play(page);
    await page.keyboard.press("5");
    await expect.poll(() => position(page)).toBeGreaterThan(9.5);

    // The film is short: each step begins anew in it.
    await page.keyboard.press("2");
    await chooseQuality(page, "180p");
    await expect.poll(() => shownHeight(page)).toBe(180);
    await page.locator("h1").click();
    await page.keyboard.press("2");
    await chooseQuality(page, "360p");
    await expect.poll(() => shownHeight(page)).toBe(360);
    await expect(page.locator("video")).toHaveJSProperty("paused", false);

    await page.locator("h1").click();
    await page.keyboard.press("4");
    const saved = savedProgress(page, (progress) => progress > 7 && progress < 16);
    await page.keyboard.press("k");
    const stopped = await saved;
    await page.reload();
    await expect.poll(() => position(page)).toBeGreaterThanOrEqual(Math.floor(stopped) - 1);
    await page.getByRole("link", { name: /They meet/ }).click();
    await expect.poll(() => position(page)).toBeGreaterThan(7 + MOVED);
    expect(await position(page)).toBeLessThan(12);
  });
}

for (const way of ["Media Source", "the browser's own HLS", "an MP4"] as const) {
  test(`a film over ${way} goes on by itself after an outage, a limit and a busy site, and says when access ended`, async ({
    page,
  }) => {
    const fail = await openFailing(page, way);
    for (const failure of ["nothing", 429, 503] as const) {
      await reopen(page, way, () => fail(failure));
      await press(page);
      await expect(problem(page), `${failure}`).toBeVisible();
      fail(null);
      await expect.poll(() => position(page), { timeout: 20_000 }).toBeGreaterThan(MOVED);
      await expect(problem(page)).toHaveCount(0);
    }
    await reopen(page, way, () => fail(403));
    await press(page);
    await expect(problem(page)).toHaveText(/You can no longer watch this video/);
  });
}

test("a film whose viewer plays too many is not requested again until they want it", async ({ page }) => {
  const fail = await openFailing(page, "Media Source");
  await reopen(page, "Media Source", () => {});
  // Otherwise it depends on the computer which requests of its beginning are refused.
  await expect.poll(() => isLoaded(page)).toBe(true);
  fail("too many");
  let requests = 0;
  page.on("request", (request) => {
    if (/\/media\/.*(rung-|master)/.test(request.url())) requests += 1;
  });
  await press(page);
  await expect(problem(page)).toContainText(TOO_MANY);
  // The player's, one while its loaded part still plays, and one when that has ended.
  expect(requests).toBeLessThanOrEqual(3);
  const before = requests;
  // Longer than a video that stands still is left alone.
  await page.waitForTimeout(5_000);
  expect(requests).toBe(before);
  await expect(problem(page)).toContainText(TOO_MANY);
  fail(null);
  await press(page);
  await press(page);
  await expect.poll(() => position(page)).toBeGreaterThan(MOVED);
  await expect(problem(page)).toHaveCount(0);
});

test("a film is smaller while the network is slow, and larger where it is not", async ({ page }) => {
  const throttle = await page.context().newCDPSession(page);
  const slowDown = (bytesPerSecond: number) =>
    throttle.send("Network.emulateNetworkConditions", {
      ...{ offline: false, latency: 20, uploadThroughput: -1 },
      downloadThroughput: bytesPerSecond,
    });
  await openVideo(page, "Media Source");
  await slowDown(14_000);
  await press(page);
  await expect.poll(() => shownHeight(page)).toBe(180);
  await expect.poll(() => position(page)).toBeGreaterThan(1);
  expect(await shownHeight(page)).toBe(180);
  // The film is too short for hls.js to believe in the faster network while it plays.
  await slowDown(-1);
  await page.reload();
  await untilScriptsRun(page);
  await untilReady(page, "Media Source");
  await press(page);
  await expect.poll(() => shownHeight(page)).toBe(360);
});

test("captions show and are remembered, scenes are found by their pictures, and keys and lists need no pointer", async ({
  page,
}) => {
  await signInAsNewSubscriber(page);
  await openByTitle(page, "Nine Days in May");
  await page.getByText("Captions", { exact: true }).first().click();
  await page.getByLabel("English").check();
  await page.getByLabel("Huge").check();
  await page.keyboard.press("Escape");
  await page.reload();
  await untilScriptsRun(page);
  await expect.poll(() => captionsShown(page)).toBe("en");
  await expect(page.locator("video")).toHaveAttribute("data-caption-size", "huge");
  await page.locator("h1").click();
  await page.keyboard.press("c");
  expect(await captionsShown(page)).toBeNull();
  await page.keyboard.press(">");
  await expect(page.locator("video")).toHaveJSProperty("playbackRate", 1.25);
  await page.getByText("Keys", { exact: true }).first().click();
  await page.getByLabel("Letters, digits and symbols are keys").uncheck();
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press(">");
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("video")).toHaveJSProperty("playbackRate", 1.25);

  const timeline = page.getByRole("slider", { name: "Find a scene" });
  await timeline.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => position(page)).toBeGreaterThan(1);
  await timeline.hover();
  const picture = page.locator("[style*='sprite-1.webp']").last();
  await expect(picture).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
});

test("cards of lists play their preview under the pointer, never with reduced motion, and a locked film's page its trailer", async ({
  page,
}) => {
  await enter(page);
  await page.goto("/content/video?sort=title");
  await untilScriptsRun(page);
  const card = page
    .getByRole("article")
    .filter({ has: page.locator("[data-preview]") })
    .first();
  await card.hover();
  await expect(card.locator("video")).toHaveJSProperty("muted", true);
  await page.mouse.move(0, 0);
  await expect(card.locator("video")).toHaveCount(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  let requests = 0;
  page.on("request", (request) => {
    if (request.url().includes("hover")) requests += 1;
  });
  await card.hover();
  await page.waitForTimeout(1_000);
  expect(requests).toBe(0);
  await page.mouse.move(0, 0);

  await openByTitle(page, TITLE);
  const trailer = page.getByLabel(`Trailer of ${TITLE}`);
  await trailer.evaluate((video: HTMLVideoElement) => video.play());
  await expect
    .poll(() => trailer.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(MOVED);
  await expect(page.getByRole("heading", { name: "Watch the whole film" })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
});

async function openVideo(page: Page, way: Way): Promise<void> {
  if (way !== "Media Source") {
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, "MediaSource");
      Reflect.deleteProperty(window, "ManagedMediaSource");
    });
  }
  await signInAsNewSubscriber(page);
  await openByTitle(page, TITLE);
  await untilReady(page, way);
}

/** An MP4 fails from the beginning, because a browser loads it whole. */
async function reopen(page: Page, way: Way, fail: () => void): Promise<void> {
  if (way === "an MP4") fail();
  await page.goto(page.url());
  await untilScriptsRun(page);
  await untilReady(page, way);
  // Starts where the film has not been loaded, and not where it was left.
  await page.keyboard.press("0");
  fail();
}

async function untilReady(page: Page, way: Way): Promise<void> {
  if (way === "Media Source") await expect.poll(() => sourceOf(page)).toMatch(/^blob:/);
  if (way === "the browser's own HLS") await expect.poll(() => sourceOf(page)).toMatch(/\.m3u8$/);
}

/** The returned function makes requests for parts of the film fail, or lets them through again. */
async function openFailing(page: Page, way: Way): Promise<(failure: Failure | null) => void> {
  let current: Failure | null = null;
  await page.route(/\/media\/[^/]+\/(video-|rung-|master)/, async (route) => {
    const isLadder = !route.request().url().includes("/video-");
    if (way === "an MP4" && isLadder) return route.fulfill({ status: 404 });
    // The page's own MP4 would play before the ladder is there.
    if (way !== "an MP4" && !isLadder) return route.abort();
    if (current === null) return route.continue();
    if (current === "nothing") return route.abort("connectionrefused");
    if (current === "too many") {
      return route.fulfill({ status: 429, headers: { "X-Video-Refusal": "yes" }, body: TOO_MANY });
    }
    return route.fulfill({ status: current });
  });
  await openVideo(page, way);
  return (failure) => {
    current = failure;
  };
}

async function openByTitle(page: Page, title: string): Promise<void> {
  await page.goto("/content/video?sort=title");
  await page.getByRole("link", { name: title, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await untilScriptsRun(page);
}

async function press(page: Page): Promise<void> {
  await page.locator("h1").click();
  await page.keyboard.press("k");
}

async function play(page: Page): Promise<void> {
  await press(page);
  await expect.poll(() => position(page)).toBeGreaterThan(MOVED);
}

async function chooseQuality(page: Page, quality: string): Promise<void> {
  await page.getByText("Quality", { exact: true }).first().click();
  await page.getByLabel(quality).check();
  await page.keyboard.press("Escape");
}

function problem(page: Page) {
  return page.getByRole("alert").locator("p");
}

/** The picture of the present second is there, and nothing more is loaded before the video plays. */
function isLoaded(page: Page): Promise<boolean> {
  return page
    .locator("video")
    .evaluate((video: HTMLVideoElement) => !video.seeking && video.readyState >= video.HAVE_FUTURE_DATA);
}

function shownHeight(page: Page): Promise<number> {
  return page.locator("video").evaluate((video: HTMLVideoElement) => video.videoHeight);
}

function sourceOf(page: Page): Promise<string> {
  return page.locator("video").evaluate((video: HTMLVideoElement) => video.src);
}

function captionsShown(page: Page): Promise<string | null> {
  return page
    .locator("video")
    .evaluate(
      (video: HTMLVideoElement) =>
        [...video.textTracks].find(({ mode }) => mode === "showing")?.language ?? null,
    );
}
