import { expect, type Page, test } from "@playwright/test";
import { findViolations } from "../support/browser/accessibility.ts";
import { type AddedVideo, addVideo, removeVideos } from "../support/browser/added-video.ts";
import { withDatabase } from "../support/browser/database.ts";
import { networkOf } from "../support/browser/network.ts";
import { signIn, signInAsNewMember, signInAsNewSubscriber } from "../support/browser/people.ts";
import {
  chooseSize,
  favorite,
  MOVED,
  openAdded,
  openByTitle,
  openFailing,
  openVideo,
  play,
  press,
  problem,
  shownHeight,
  sourceOf,
  TITLE,
  TOO_MANY,
  untilReady,
  type Way,
} from "../support/browser/player.ts";
import { loop, position, savedProgress } from "../support/browser/progress.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";

const LIVE = "**/api/live*";

/** Beginnings of the sentences that people read. */
const SENTENCES = {
  nothing: "The connection to the site was lost.",
  429: "Too many requests came from you",
  503: "The site is not responding.",
};

/** So much is never loaded ahead of the beginning. */
const LONG_SECONDS = 96;
const DAMAGED = "This browser cannot play this part of the video.";
const OFFLINE_MS = 10_000;
/** Bytes a second: twice and less than half of what its larger size needs. Faster, it would be loaded at once. */
const [MODERATE, SLOW] = [120_000, 20_000];
let long: AddedVideo | undefined;
const longVideo = async () => (long ??= await addVideo({ seconds: LONG_SECONDS }));
test.afterAll(() => removeVideos([long]));

for (const way of ["Media Source", "the browser's own HLS"] as const) {
  test(`a video over ${way} plays, seeks, changes its size and keeps its place`, async ({ page }) => {
    await openVideo(page, way);
    await page.goto(`${page.url()}?t=2&q=360`);
    await untilScriptsRun(page);
    await untilReady(page, way);
    await play(page);
    await loop(page);
    await page.keyboard.press("5");
    await expect.poll(() => position(page)).toBeGreaterThan(9.5);

    // The video is short: each step begins anew in it.
    await page.keyboard.press("2");
    await chooseSize(page, "180p");
    await expect.poll(() => shownHeight(page)).toBe(180);
    await page.locator("h1").click();
    await page.keyboard.press("2");
    await chooseSize(page, "360p");
    await expect.poll(() => shownHeight(page)).toBe(360);
    await expect(page.locator("video")).toHaveJSProperty("paused", false);

    await page.locator("h1").click();
    const saved = savedProgress(page, (progress) => progress > 7 && progress < 16);
    await page.keyboard.press("4");
    await expect.poll(() => position(page)).toBeGreaterThan(7);
    await page.keyboard.press("k");
    const stopped = await saved;
    // Not at the second of the old address.
    await expect.poll(() => new URL(page.url()).search).toBe("");
    await page.reload();
    await expect.poll(() => position(page)).toBeGreaterThanOrEqual(Math.floor(stopped) - 1);
    await page.getByRole("link", { name: /They meet/ }).click();
    await expect.poll(() => position(page)).toBeGreaterThan(7 + MOVED);
    expect(await position(page)).toBeLessThan(12);
  });
}

for (const way of ["Media Source", "the browser's own HLS", "an MP4"] as const) {
  test(`a video over ${way} resumes by itself after an outage, a limit and a busy site, and says when access has ended`, async ({
    page,
  }) => {
    const fail = await openFailing(page, way);
    for (const failure of ["nothing", 429, 503] as const) {
      await reopen(page, way, () => fail(failure));
      await press(page);
      await expect(problem(page), `${failure}`).toContainText(SENTENCES[failure]);
      fail(null);
      await expect.poll(() => position(page), { timeout: 20_000 }).toBeGreaterThan(MOVED);
      await expect(problem(page)).toHaveCount(0);
    }
    await reopen(page, way, () => fail(403));
    await press(page);
    await expect(problem(page)).toContainText("This page can no longer play the video.");
  });
}

test("a browser without the newest ways to end a request reads the same sentences", async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(AbortSignal, "any"));
  const fail = await openFailing(page, "Media Source");
  await reopen(page, "Media Source", () => fail("too many"));
  await press(page);
  await expect(problem(page)).toContainText(TOO_MANY);
});

test("when access ends, the video's page becomes the locked one even without an announcement", async ({
  page,
}) => {
  await page.route(LIVE, (route) => route.abort());
  const { path } = await longVideo();
  const email = await signInAsNewSubscriber(page, path);
  await untilScriptsRun(page);
  await untilReady(page, "Media Source");
  await play(page);
  await withDatabase(
    (sql) => sql`UPDATE subscriptions SET status = 'canceled'
      WHERE user_id = (SELECT id FROM users WHERE email = ${email})`,
  );
  // Nothing is loaded there.
  await page.keyboard.press("8");
  await expect(page.getByRole("heading", { name: "Watch this video" })).toBeFocused();
  await expect(page.locator("video")).toHaveCount(0);
});

test("a trailer that fails is retried on request, and one that was removed gives way to the cover", async ({
  page,
}) => {
  await page.route(LIVE, (route) => route.abort());
  let isDown = true;
  await page.route(/\/trailer\.mp4/, (route) => (isDown ? route.fulfill({ status: 503 }) : route.continue()));
  await signInAsNewMember(page);
  await openByTitle(page, TITLE);
  const trailer = page.getByLabel(`Trailer of ${TITLE}`);
  const start = () => trailer.evaluate((video: HTMLVideoElement) => void video.play().catch(() => {}));
  const time = () => trailer.evaluate((video: HTMLVideoElement) => video.currentTime);
  await trailer.evaluate((video: HTMLVideoElement) => {
    video.volume = 0.3;
  });
  await start();
  await expect(problem(page)).toContainText(SENTENCES[503]);
  isDown = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(trailer).toBeFocused();
  await expect(problem(page)).toHaveCount(0);
  await start();
  await expect.poll(time).toBeGreaterThan(MOVED);

  await page.reload();
  await untilScriptsRun(page);
  await expect(trailer).toHaveJSProperty("volume", 0.3);
  const rename = (from: string, to: string) =>
    withDatabase(
      (sql) => sql`UPDATE media_files SET name = ${to}
        WHERE name = ${from} AND media_id = (SELECT id FROM media WHERE title = ${TITLE})`,
    );
  await rename("trailer.mp4", "taken-out.mp4");
  try {
    await start();
    await expect(trailer).toHaveCount(0);
    await expect(page.getByText("Locked", { exact: true }).first()).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
  } finally {
    await rename("taken-out.mp4", "trailer.mp4");
  }
});

test("a video in full screen says why it has stopped, and leaves native full screen to say so", async ({
  page,
}) => {
  const fail = await openFailing(page, "Media Source");
  await reopen(page, "Media Source", () => {});
  const isShownFull = (selector: string) =>
    page.evaluate((sought) => document.fullscreenElement?.querySelector(sought) !== null, selector);
  await page.locator("h1").click();
  await page.keyboard.press("f");
  await expect.poll(() => isShownFull("video")).toBe(true);
  fail("too many");
  await page.keyboard.press("k");
  await expect(problem(page)).toContainText(TOO_MANY);
  expect(await isShownFull("[role=alert] button")).toBe(true);
  await expect(page.getByRole("button", { name: "Try again" })).toBeInViewport({ ratio: 1 });
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("f");
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();

  fail(null);
  await reopen(page, "Media Source", () => {});
  await page.locator("h1").click();
  await page.locator("video").evaluate((video: HTMLVideoElement) => video.requestFullscreen());
  fail("too many");
  await page.keyboard.press("k");
  await expect(problem(page)).toContainText(TOO_MANY);
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();
  await expect(page.getByRole("button", { name: "Try again" })).toBeInViewport();
});

test("a video whose viewer plays too many is not requested again until they want it", async ({ page }) => {
  const fail = await openFailing(page, "Media Source");
  await reopen(page, "Media Source", () => {});
  // Otherwise it depends on the computer which requests of its beginning are refused.
  await expect.poll(() => isLoaded(page)).toBe(true);
  fail("too many");
  let [requests, playlists] = [0, 0];
  page.on("request", (request) => {
    if (/\/media\/.*rung-.*\.mp4/.test(request.url())) requests += 1;
    if (/\.m3u8/.test(request.url())) playlists += 1;
  });
  await press(page);
  await expect(problem(page)).toContainText(TOO_MANY);
  const standsStill = () =>
    page.locator("video").evaluate(async (video: HTMLVideoElement) => {
      const before = video.currentTime;
      // Longer than a video that stands still is left alone.
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      return video.currentTime === before;
    });
  await expect.poll(standsStill, { timeout: 60_000 }).toBe(true);
  // The player's, one while its loaded part still plays, one when that has ended, and one where a busy computer stops in it.
  expect(requests).toBeLessThanOrEqual(4);
  const before = [requests, playlists];
  await page.waitForTimeout(5_000);
  expect([requests, playlists]).toEqual(before);
  await expect(problem(page)).toContainText(TOO_MANY);
  fail(null);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => position(page), { timeout: 40_000 }).toBeGreaterThan(MOVED);
  await expect(problem(page)).toHaveCount(0);
});

test("a slow network makes a playing video smaller, and a recovered one makes it larger again", async ({
  page,
}) => {
  const { slowDown } = await networkOf(page);
  await openLong(page, "Media Source");
  await slowDown(MODERATE);
  await play(page);
  await expect.poll(() => shownHeight(page)).toBe(360);
  await slowDown(SLOW);
  // Nothing is loaded there.
  await page.keyboard.press("4");
  await expect.poll(() => shownHeight(page), { timeout: 40_000 }).toBe(180);
  await expect.poll(() => position(page)).toBeGreaterThan(LONG_SECONDS * 0.4 + 1);
  await slowDown(null);
  await expect.poll(() => shownHeight(page), { timeout: 60_000 }).toBe(360);
  await expect(page.locator("video")).toHaveJSProperty("paused", false);
  await expect(problem(page)).toHaveCount(0);
});

test("a video that was started before its ladder switches to it where its MP4 has to wait, and looks and sounds as before", async ({
  page,
}) => {
  const { slowDown } = await networkOf(page);
  await openLong(page, "Media Source");
  await startBeforeLadder(page, () => slowDown(SLOW));
  await untilScriptsRun(page);
  await page.locator("video").evaluate((video: HTMLVideoElement) => {
    video.muted = true;
    video.playbackRate = 1.25;
  });
  await expect.poll(() => sourceOf(page), { timeout: 60_000 }).toMatch(/^blob:/);
  const from = await position(page);
  await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(from + 2);
  expect(await lostSeconds(page)).toBeLessThan(0.5);
  const video = page.locator("video");
  await expect(video).toHaveJSProperty("muted", true);
  await expect(video).toHaveJSProperty("playbackRate", 1.25);
  await expect(video).toHaveJSProperty("paused", false);
  await expect(problem(page)).toHaveCount(0);
});

for (const way of ["Media Source", "an MP4"] as const) {
  test(`a video over ${way} that is playing continues at its second after a busy site and ten seconds offline`, async ({
    page,
  }) => {
    test.setTimeout(120_000);
    const { slowDown, goOffline } = await networkOf(page);
    await slowDown(MODERATE);
    const fail = await openFailing(page, way, openLong);
    await play(page);
    fail(503);
    await jumpTo(page, "8");
    await expect(problem(page)).toContainText(SENTENCES[503]);
    fail(null);
    await expectToGoOnAt(page, LONG_SECONDS * 0.8);
    const begunAt = performance.now();
    await goOffline();
    await jumpTo(page, "4");
    await expect(problem(page)).toContainText("resumes when it is back");
    await page.waitForTimeout(Math.max(0, OFFLINE_MS - (performance.now() - begunAt)));
    await slowDown(MODERATE);
    await expectToGoOnAt(page, LONG_SECONDS * 0.4);
    fail(403);
    await jumpTo(page, "2");
    await expect(problem(page)).toContainText("This page can no longer play the video.");
  });
}

test("a video whose larger size has a damaged part plays that part in the smaller one", async ({ page }) => {
  await damage(page, "Media Source", [360]);
  await openLong(page, "Media Source", "?q=360");
  await page.locator("h1").click();
  await page.keyboard.press("5");
  await page.keyboard.press("k");
  await expect.poll(() => position(page), { timeout: 40_000 }).toBeGreaterThan(LONG_SECONDS * 0.5 + 1);
  expect(await shownHeight(page)).toBe(180);
  await expect(problem(page)).toHaveCount(0);
  await page.getByText("Size", { exact: true }).first().click();
  await expect(page.getByRole("radio", { name: /^Automatic/ })).toBeChecked();
});

test("a video keeps its chosen size when a connection breaks", async ({ page }) => {
  const { slowDown } = await networkOf(page);
  await openLong(page, "Media Source");
  await chooseSize(page, "180p");
  await slowDown(MODERATE);
  await play(page);
  let broken = 0;
  await page.route(/-180\.mp4/, (route) =>
    broken++ < 2 ? route.abort("connectionrefused") : route.fallback(),
  );
  await jumpTo(page, "5");
  await expect.poll(() => shownHeight(page), { timeout: 30_000 }).toBe(360);
  await expect.poll(() => shownHeight(page), { timeout: 30_000 }).toBe(180);
  expect(broken).toBeGreaterThan(2);
  await page.getByText("Size", { exact: true }).first().click();
  await expect(page.getByLabel("180p")).toBeChecked();
});

test("a video stays on its page while the site does not answer, even when the page reloads its data", async ({
  page,
  browser,
}) => {
  const { path } = await longVideo();
  const email = await signInAsNewSubscriber(page, path);
  await untilScriptsRun(page);
  await untilReady(page, "Media Source");
  await play(page);
  await loop(page);
  let questions = 0;
  await page.route(/readyz|\.data|_data=/, (route) => {
    questions += 1;
    return route.fulfill({ status: 503 });
  });
  const device = await browser.newContext();
  const other = await device.newPage();
  await signIn(other, email, path);
  await favorite(other).click();
  await expect(favorite(other)).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => questions).toBeGreaterThan(2);
  await expect(page.locator("video")).toHaveJSProperty("paused", false);
  await page.unroute(/readyz|\.data|_data=/);
  await expect(favorite(page)).toHaveAttribute("aria-pressed", "true", { timeout: 30_000 });
  await expect(page.locator("video")).toHaveJSProperty("paused", false);
  await device.close();
});

test("a video over Media Source skips a part that is damaged in every size", async ({ page }) => {
  await damage(page, "Media Source", [360, 180]);
  await openLong(page, "Media Source");
  await page.locator("h1").click();
  await page.keyboard.press("5");
  await page.keyboard.press("k");
  await expect.poll(() => position(page), { timeout: 40_000 }).toBeGreaterThan(LONG_SECONDS * 0.6 + 1);
  await expect(problem(page)).toHaveCount(0);
});

test("an MP4 with a damaged part plays it in another size", async ({ page }) => {
  await damage(page, "an MP4", [360]);
  await openLong(page, "an MP4", "?q=360");
  await play(page);
  await page.keyboard.press("5");
  await expect(problem(page)).toContainText(DAMAGED, { timeout: 60_000 });
  await page.getByText("Size", { exact: true }).first().click();
  // It goes on by itself, because its viewer has not paused it.
  await page.getByRole("link", { name: "180p", exact: true }).click();
  await expect.poll(() => position(page), { timeout: 20_000 }).toBeGreaterThan(LONG_SECONDS * 0.5 + 1);
  await expect.poll(() => shownHeight(page)).toBe(180);
  await expect(problem(page)).toHaveCount(0);
});

test("a browser that cannot decode any size says so", async ({ page }) => {
  await page.addInitScript(() => {
    HTMLMediaElement.prototype.canPlayType = (type) => (type.includes("codecs") ? "" : "maybe");
  });
  const fail = await openFailing(page, "an MP4");
  await reopen(page, "an MP4", () => fail("nothing"));
  await press(page);
  await expect(problem(page)).toContainText("This browser cannot play this video.");
});

test("a paused video says that the connection was lost and promises nothing, and is loaded when the connection is back", async ({
  page,
}) => {
  const fail = await openFailing(page, "Media Source");
  await reopen(page, "Media Source", () => fail("nothing"));
  await page.keyboard.press("7");
  await expect(problem(page)).toContainText("The connection to the site was lost.");
  await expect(problem(page)).not.toContainText("resumes");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator("video")).toBeFocused();
  await expect(problem(page)).toBeVisible();
  await expect(page.locator("video")).toHaveJSProperty("paused", true);
  fail(null);
  await expect(problem(page)).toHaveCount(0, { timeout: 20_000 });
  await expect.poll(() => isLoaded(page)).toBe(true);
  await expect(page.locator("video")).toHaveJSProperty("paused", true);
});

/** The long one. */
async function openLong(page: Page, way: Way, search = ""): Promise<void> {
  const { path } = await longVideo();
  await openAdded(page, way, path + search);
}

/** By which a video went back when it began to play again. */
function lostSeconds(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { lostSeconds: number }).lostSeconds);
}

/** Opens the page again, and plays a second of its MP4 before the scripts have got the ladder. */
async function startBeforeLadder(page: Page, before: () => Promise<unknown> = async () => {}): Promise<void> {
  await page.addInitScript(() => {
    const { fetch } = window;
    const untilPlayed = async () => {
      while ((document.querySelector("video")?.currentTime ?? 0) < 1)
        await new Promise(requestAnimationFrame);
    };
    let [furthest, lost] = [0, 0];
    const timeOf = ({ target }: Event) => (target instanceof HTMLVideoElement ? target.currentTime : 0);
    document.addEventListener(
      "timeupdate",
      (event) => {
        furthest = Math.max(furthest, timeOf(event));
      },
      true,
    );
    document.addEventListener(
      "playing",
      (event) => {
        lost = Math.max(lost, furthest - timeOf(event));
      },
      true,
    );
    Object.defineProperty(window, "lostSeconds", { get: () => lost });
    // Playwright's own interception would keep the browser from its cache.
    window.fetch = async (input, init) => {
      if (String(input).includes("master.m3u8")) await untilPlayed();
      return fetch(input, init);
    };
  });
  await before();
  await page.reload({ waitUntil: "commit" });
  await page.locator("video").evaluate((video: HTMLVideoElement) => void video.play());
}

/** Keeps the times that the video shows from then on. */
async function jumpTo(page: Page, key: string): Promise<void> {
  await page.locator("video").evaluate((video: HTMLVideoElement) => {
    const times: number[] = [];
    Object.assign(window, { times });
    const keep = () => video.addEventListener("timeupdate", () => times.push(video.currentTime));
    // It still plays where it was until then.
    video.addEventListener("seeking", keep, { once: true });
  });
  await page.keyboard.press(key);
}

async function expectToGoOnAt(page: Page, seconds: number): Promise<void> {
  await expect.poll(() => position(page), { timeout: 40_000 }).toBeGreaterThan(seconds + 1);
  const times = await page.evaluate(() => (window as unknown as { times: number[] }).times);
  const first = times.find((time) => time > seconds + 0.1 || time < seconds - 1) ?? 0;
  expect(first).toBeGreaterThan(seconds);
  // These times come late on a slow machine, where a skipped part has still not been played.
  expect(await hasPlayed(page, seconds + 1)).toBe(true);
  await expect(problem(page)).toHaveCount(0);
}

function hasPlayed(page: Page, second: number): Promise<boolean> {
  return page.locator("video").evaluate(({ played }: HTMLVideoElement, at) => {
    const ranges = Array.from({ length: played.length }, (_, index) => [
      played.start(index),
      played.end(index),
    ]);
    return ranges.some(([start = 0, end = 0]) => start <= at && at <= end);
  }, second);
}

/** An MP4 fails from the beginning, because a browser loads it whole. */
async function reopen(page: Page, way: Way, fail: () => void): Promise<void> {
  if (way === "an MP4") fail();
  await page.goto(page.url());
  await untilScriptsRun(page);
  await untilReady(page, way);
  // Starts where the video has not been loaded, and not where it was left.
  await page.keyboard.press("0");
  fail();
}

/** Replaces what these sizes have around the middle of the video by nonsense. */
async function damage(page: Page, way: Way, heights: number[]): Promise<void> {
  const isDamaged = new RegExp(`-(${heights.join("|")})\\.mp4`);
  await page.route(/\/media\/[^/]+\/(video-|rung-|master)/, async (route) => {
    const url = route.request().url();
    const isLadder = !url.includes("/video-");
    if (way === "an MP4" && isLadder) return route.fulfill({ status: 404 });
    if (way !== "an MP4" && !isLadder) return route.abort();
    if (!isDamaged.test(url)) return route.continue();
    // The page may be closed meanwhile.
    const response = await route.fetch().catch(() => null);
    const body = await response?.body().catch(() => null);
    if (!response || !body) return;
    const [, start = 0, total = body.length] =
      /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers()["content-range"] ?? "")?.map(Number) ?? [];
    const at = (part: number) => Math.min(Math.max(0, Math.floor(total * part) - start), body.length);
    body.fill(0xff, at(0.45), at(0.6));
    await route.fulfill({ response, body });
  });
}

/** The picture of the present second is there, and nothing more is loaded before the video plays. */
function isLoaded(page: Page): Promise<boolean> {
  return page
    .locator("video")
    .evaluate((video: HTMLVideoElement) => !video.seeking && video.readyState >= video.HAVE_FUTURE_DATA);
}
