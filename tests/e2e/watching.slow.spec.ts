import { expect, type Page, test } from "@playwright/test";
import { findViolations } from "../support/browser/accessibility.ts";
import {
  type AddedVideo,
  addVideo,
  makeTrailer,
  removeVideos,
  replaceFiles,
} from "../support/browser/added-video.ts";
import { withDatabase } from "../support/browser/database.ts";
import { networkOf } from "../support/browser/network.ts";
import { enter, signIn, signInAsNewMember, signInAsNewSubscriber } from "../support/browser/people.ts";
import { loop, position, savedProgress } from "../support/browser/progress.ts";
import { crashWeb } from "../support/browser/restart.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { alone } from "../support/browser/shared-site.ts";

const TITLE = "Under the Skin of Water";
const MOVED = 0.5;
const LIVE = "**/api/live*";
type Way = "Media Source" | "the browser's own HLS" | "an MP4";

/** The answer to a request for a part of the video while it is failing. */
type Failure = "nothing" | "too many" | 429 | 503 | 403;

const TOO_MANY = "You play as many videos as you may.";
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
/** A part of the larger size takes 13 seconds, longer than the page waits between two tries. */
const LATE = 16_000;

let long: AddedVideo | undefined;
let withAudioTracks: AddedVideo | undefined;
const replaced: AddedVideo[] = [];
const longVideo = async () => (long ??= await addVideo({ seconds: LONG_SECONDS }));
test.afterAll(() => removeVideos([long, withAudioTracks]));
// With more of them, the demo's videos would not be on the first page of the list by title.
test.afterEach(() => removeVideos(replaced.splice(0)));

for (const way of ["Media Source", "the browser's own HLS"] as const) {
  test(`a video over ${way} plays, seeks, changes its size and keeps its place`, async ({ page }) => {
    await openVideo(page, way);
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

test("a reload continues where the video was, and ignores the second and the size of an old address", async ({
  page,
}) => {
  await openVideo(page, "Media Source");
  const chapter = page.getByRole("link", { name: /They meet/ });
  await page.goto(`${page.url()}?t=2&q=360`);
  await untilScriptsRun(page);
  await untilReady(page, "Media Source");
  await chooseSize(page, "180p");
  const saved = savedProgress(page, (progress) => progress > 5);
  await page.locator("h1").click();
  await page.keyboard.press("5");
  await page.keyboard.press("k");
  const stopped = await saved;
  await expect.poll(() => new URL(page.url()).search).toBe("");
  expect(await chapter.getAttribute("href")).toMatch(/\?t=\d+$/);
  await page.reload();
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(Math.floor(stopped) - 1);
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

test("captions whose file fails once appear a moment later", async ({ page }) => {
  let requests = 0;
  await page.route(/captions-en\.vtt/, (route) => {
    requests += 1;
    return requests === 1 ? route.fulfill({ status: 503 }) : route.continue();
  });
  await signInAsNewSubscriber(page);
  await openByTitle(page, "Nine Days in May");
  await page.getByText("Captions", { exact: true }).first().click();
  await page.getByLabel("English").check();
  const cues = () =>
    page.locator("video").evaluate((video: HTMLVideoElement) => {
      const shown = [...video.textTracks].find(({ mode }) => mode === "showing");
      return shown?.cues?.length ?? 0;
    });
  await expect.poll(cues).toBeGreaterThan(0);
});

for (const way of ["Media Source", "the browser's own HLS"] as const) {
  test(`a video over ${way} whose viewer plays too many is not requested again until they want it`, async ({
    page,
  }) => {
    const fail = await openFailing(page, way);
    await reopen(page, way, () => {});
    // Otherwise it depends on the computer which requests of its beginning are refused.
    if (way === "Media Source") await expect.poll(() => isLoaded(page)).toBe(true);
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
    if (way === "Media Source") {
      // The first press pauses a video that waits to go on.
      await press(page);
      await press(page);
    } else await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => position(page), { timeout: 40_000 }).toBeGreaterThan(MOVED);
    await expect(problem(page)).toHaveCount(0);
  });
}

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

test("a video that was started before its ladder has the size that its viewer chose last time", async ({
  page,
}) => {
  await openLong(page, "Media Source");
  await chooseSize(page, "180p");
  await startBeforeLadder(page);
  await expect.poll(() => shownHeight(page)).toBe(180);
  const from = await position(page);
  await expect.poll(() => position(page)).toBeGreaterThan(from + MOVED);
  expect(await lostSeconds(page)).toBeLessThan(0.5);
  await expect(page.locator("video")).toHaveJSProperty("paused", false);
});

for (const way of ["Media Source", "the browser's own HLS", "an MP4"] as const) {
  test(`a video over ${way} that is playing continues at its second after a busy site, a limit, ten seconds offline and a crash`, async ({
    page,
  }) => {
    test.setTimeout(300_000);
    const { slowDown, goOffline } = await networkOf(page);
    await slowDown(MODERATE);
    const fail = await openFailing(page, way, openLong);
    await play(page);
    for (const [failure, tenth] of [
      [503, 8],
      [429, 6],
    ] as const) {
      fail(failure);
      await jumpTo(page, `${tenth}`);
      await expect(problem(page)).toContainText(SENTENCES[failure]);
      fail(null);
      await expectToGoOnAt(page, (LONG_SECONDS * tenth) / 10);
    }
    const begunAt = performance.now();
    await goOffline();
    await jumpTo(page, "4");
    await expect(problem(page)).toContainText("resumes when it is back");
    await page.waitForTimeout(Math.max(0, OFFLINE_MS - (performance.now() - begunAt)));
    await slowDown(MODERATE);
    await expectToGoOnAt(page, LONG_SECONDS * 0.4);

    // To be alone may take longer than the video.
    await page.keyboard.press("k");
    await alone(async () => {
      await page.keyboard.press("k");
      await expect(page.locator("video")).toHaveJSProperty("paused", false);
      await crashWeb();
      await jumpTo(page, "3");
      await expectToGoOnAt(page, LONG_SECONDS * 0.3);
    });
    fail(403);
    await jumpTo(page, "2");
    await expect(problem(page)).toContainText("This page can no longer play the video.");
  });
}

test("after an outage, a video waits for a part that a slow network brings late", async ({ page }) => {
  const { slowDown, goOffline } = await networkOf(page);
  await openLong(page, "Media Source");
  await chooseSize(page, "360p");
  await slowDown(MODERATE);
  await play(page);
  await goOffline();
  await jumpTo(page, "8");
  await expect(problem(page)).toContainText("resumes when it is back");
  await slowDown(LATE);
  await expectToGoOnAt(page, LONG_SECONDS * 0.8);
});

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

test("captions stay on screen when they are replaced and the page reloads its data", async ({ page }) => {
  const video = await openReplaceable(page, "Media Source");
  await page.getByText("Captions", { exact: true }).first().click();
  // Chromium would show new ones in its own language by itself.
  await page.getByLabel("de", { exact: true }).check();
  await page.keyboard.press("Escape");
  await play(page);
  await expect.poll(() => cuesShown(page)).toEqual(["de"]);
  await replaceAndReload(page, video);
  expect(await captionsShown(page)).toBe("de");
  expect(await cuesShown(page)).toEqual(["de"]);
});

test("a playing MP4 is not reloaded when its files are replaced, and the other size can still be chosen", async ({
  page,
}) => {
  const video = await openReplaceable(page, "an MP4");
  await play(page);
  const loads = await page.locator("video").evaluateHandle((player: HTMLVideoElement) => {
    const counted = { begun: 0 };
    player.addEventListener("emptied", () => (counted.begun += 1));
    return counted;
  });
  const begun = () => loads.evaluate((counted) => counted.begun);
  const from = await position(page);
  await replaceAndReload(page, video);
  await expect.poll(() => position(page)).toBeGreaterThan(from + MOVED);
  expect(await begun()).toBe(0);
  await expect(page.locator("video")).toHaveJSProperty("paused", false);
  await page.getByText("Size", { exact: true }).first().click();
  const changedAt = await position(page);
  await page.getByRole("link", { name: "180p", exact: true }).click();
  await expect.poll(() => shownHeight(page)).toBe(180);
  expect(await position(page)).toBeGreaterThanOrEqual(changedAt);
  expect(await begun()).toBe(1);
  await expect(problem(page)).toHaveCount(0);
});

test("a playing trailer is not reloaded when it is replaced", async ({ page }) => {
  const video = await addVideo({ seconds: 24 });
  replaced.push(video);
  await makeTrailer(video);
  await signInAsNewMember(page, video.path);
  await untilScriptsRun(page);
  const trailer = await page.getByLabel(/^Trailer of /).elementHandle();
  if (trailer === null) throw new Error("The page has no trailer");
  await trailer.evaluate((player: HTMLVideoElement) => player.play());
  await expect.poll(() => position(page)).toBeGreaterThan(MOVED);
  const from = await position(page);
  await replaceFiles(video);
  const reloaded = page.waitForResponse(
    // Not one of the pages whose data is prefetched.
    (answer) =>
      answer.request().method() === "GET" && new URL(answer.url()).pathname === `${video.path}.data`,
  );
  await favorite(page).click();
  expect(await (await reloaded).text()).toContain(`${video.id}/1/trailer.mp4`);
  await expect.poll(() => position(page)).toBeGreaterThan(from + MOVED);
  await expect(page.locator("video")).toHaveJSProperty("paused", false);
  expect(await trailer.evaluate((player) => player.isConnected)).toBe(true);
});

test("a video plays on when the chosen size has a damaged part ahead", async ({ page }) => {
  await damage(page, "Media Source", [360]);
  await openLong(page, "Media Source", "?q=360");
  await press(page);
  await expect.poll(() => position(page), { timeout: 40_000 }).toBeGreaterThan(10);
  await expect(problem(page)).toHaveCount(0);
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

test("an MP4 with a part that is damaged in every size says so, and plays after it", async ({ page }) => {
  await damage(page, "an MP4", [360, 180]);
  await openLong(page, "an MP4");
  await play(page);
  await page.keyboard.press("5");
  await expect(problem(page)).toContainText(DAMAGED, { timeout: 60_000 });
  await page.keyboard.press("8");
  await expect.poll(() => position(page), { timeout: 20_000 }).toBeGreaterThan(LONG_SECONDS * 0.8 + 1);
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

test("a choice in one tab is not undone by another tab", async ({ page, context }) => {
  await openVideo(page, "Media Source");
  const other = await context.newPage();
  await other.goto(page.url());
  await untilScriptsRun(other);
  await untilReady(other, "Media Source");
  await chooseSize(other, "180p");
  await other.getByLabel("Play it automatically").check();
  await page.bringToFront();
  await page.locator("h1").click();
  await page.keyboard.press("m");
  await expect(page.locator("video")).toHaveJSProperty("muted", true);
  await other.reload();
  await untilScriptsRun(other);
  await expect(other.getByLabel("Play it automatically")).toBeChecked();
  await expect(other.locator("video")).toHaveJSProperty("muted", true);
  await untilReady(other, "Media Source");
  await other.getByText("Size", { exact: true }).first().click();
  await expect(other.getByLabel("180p")).toBeChecked();
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

test("a closed tab does not undo what another tab of the same video has saved since", async ({
  page,
  context,
}) => {
  await openLong(page, "Media Source");
  const first = savedProgress(page, () => true);
  await play(page);
  await page.keyboard.press("k");
  await first;
  const other = await context.newPage();
  await other.goto(page.url());
  await untilScriptsRun(other);
  await play(other);
  const saved = savedProgress(other, (progress) => progress > 40);
  await other.keyboard.press("5");
  await other.keyboard.press("k");
  const newest = await saved;
  await page.close({ runBeforeUnload: true });
  await other.bringToFront();
  await other.reload();
  await expect.poll(() => position(other)).toBeGreaterThanOrEqual(Math.floor(newest) - 1);
});

test("keys do what their list says, and the browser remembers volume, speed and size", async ({ page }) => {
  await openLong(page, "Media Source", "?q=360");
  await page.locator("h1").click();
  const press = async (key: string, seconds: number) => {
    await page.keyboard.press(key);
    await expect.poll(() => position(page), { message: key }).toBeCloseTo(seconds, 1);
  };
  await press("5", 48);
  await press("j", 38);
  await press("l", 48);
  await press("L", 58);
  await press("ArrowLeft", 53);
  await press(".", 53.04);
  await press(",", 53);
  await page.keyboard.press("f");
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await page.keyboard.press("f");
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();
  // The second is a repetition.
  await page.keyboard.down("m");
  await page.keyboard.down("m");
  await page.keyboard.up("m");
  await page.keyboard.press(">");
  await page.locator("video").evaluate((video: HTMLVideoElement) => {
    video.volume = 0.4;
  });
  await chooseSize(page, "180p");
  await expect.poll(() => new URL(page.url()).search).toBe("");

  await page.reload();
  await untilScriptsRun(page);
  await untilReady(page, "Media Source");
  const video = page.locator("video");
  await expect(video).toHaveJSProperty("muted", true);
  await expect(video).toHaveJSProperty("volume", 0.4);
  await expect(video).toHaveJSProperty("playbackRate", 1.25);
  await page.getByText("Size", { exact: true }).first().click();
  await expect(page.getByLabel("180p")).toBeChecked();
  expect(await findViolations(page)).toEqual([]);
  // The focus leaves it by its last control.
  await page.getByText("Speed", { exact: true }).first().focus();
  await expect(page.getByLabel("180p")).toBeHidden();
});

test("a size is remembered when MP4s are the only way, and a ladder that fails at first is retried", async ({
  page,
}) => {
  let status = 404;
  await page.route(/master\.m3u8/, (route) =>
    status === 200 ? route.continue() : route.fulfill({ status }),
  );
  const { path } = await longVideo();
  await signInAsNewSubscriber(page, path);
  await untilScriptsRun(page);
  const file = () => page.locator("video").evaluate(({ currentSrc }: HTMLVideoElement) => currentSrc);
  await page.getByText("Size", { exact: true }).first().click();
  await page.getByRole("link", { name: "180p", exact: true }).click();
  await expect.poll(file).toContain("video-180.mp4");
  await page.goto(path);
  await expect.poll(file).toContain("video-180.mp4");
  status = 503;
  await page.reload();
  await untilScriptsRun(page);
  await expect.poll(file).toContain("video-");
  status = 200;
  await untilReady(page, "Media Source");
});

test("the next video starts by itself over the ladder, and the lock screen and picture in picture follow", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const pressed: Record<string, unknown> = {};
    Object.assign(window, { lockScreen: pressed });
    navigator.mediaSession.setActionHandler = (action, handler) => {
      pressed[action] = handler;
    };
  });
  await openVideo(page, "Media Source");
  const next = page.getByRole("link", { name: /^Next: / });
  const title = (await next.textContent())?.replace("Next: ", "").trim() ?? "";
  await page.getByLabel("Play it automatically").check();
  await play(page);
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe(TITLE);
  await pressOnLockScreen(page, "pause");
  await expect(page.locator("video")).toHaveJSProperty("paused", true);
  await pressOnLockScreen(page, "seekto", { seekTime: 2 });
  await pressOnLockScreen(page, "seekforward");
  await expect.poll(() => position(page)).toBeCloseTo(12, 1);
  await pressOnLockScreen(page, "seekbackward");
  await expect.poll(() => position(page)).toBeCloseTo(2, 1);
  await pressOnLockScreen(page, "play");
  await expect.poll(() => position(page)).toBeGreaterThan(2 + MOVED);
  const isRequested = await page.evaluate(() => {
    Object.defineProperty(document, "pictureInPictureEnabled", { value: true });
    return new Promise<boolean>((resolve) => {
      HTMLVideoElement.prototype.requestPictureInPicture = () => {
        resolve(true);
        return Promise.reject(new Error("Not in a test"));
      };
      const buttons = [...document.querySelectorAll("button")];
      buttons.find(({ textContent }) => textContent?.includes("Picture in picture"))?.click();
    });
  });
  expect(isRequested).toBe(true);
  await page.locator("video").evaluate((video: HTMLVideoElement) => {
    video.currentTime = video.duration - 0.5;
  });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect.poll(() => position(page)).toBeGreaterThan(MOVED);
  expect(await sourceOf(page)).toMatch(/^blob:/);
});

test("one of two audio tracks in a language is chosen and remembered", async ({ page }) => {
  withAudioTracks ??= await addVideo({ seconds: 12, audioTracks: ["English", "English, with comments"] });
  await signInAsNewSubscriber(page, withAudioTracks.path);
  await untilScriptsRun(page);
  await untilReady(page, "Media Source");
  const second = page.waitForRequest(/rung-sound-2\.mp4/);
  await page.getByText("Audio", { exact: true }).first().click();
  await page.getByLabel("English, with comments").check();
  await second;
  await page.keyboard.press("Escape");
  await play(page);
  const again = page.waitForRequest(/rung-sound-2\.mp4/);
  await page.reload();
  await again;
  await page.getByText("Audio", { exact: true }).first().click();
  await expect(page.getByLabel("English, with comments")).toBeChecked();
});

test("without JavaScript sizes and chapters are links, captions are tracks, and a locked video has its trailer", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  const page = await context.newPage();
  await enter(page);
  await page.goto("/content/video?sort=title");
  await page.getByRole("link", { name: TITLE, exact: true }).click();
  await expect(page.getByText("Trailer", { exact: true })).toBeVisible();
  await expect(page.getByLabel(`Trailer of ${TITLE}`).locator("source")).toHaveAttribute(
    "src",
    /trailer\.mp4/,
  );

  await signInAsNewSubscriber(page, "/content/video?sort=title");
  await page.getByRole("link", { name: "Nine Days in May", exact: true }).click();
  await expect(page.locator("track")).toHaveCount(2);
  await page.getByRole("link", { name: /Opening/ }).click();
  await expect(page.locator("video source").first()).toHaveAttribute("src", /#t=6$/);
  await page.goto((await longVideo()).path);
  await page.getByText("Size", { exact: true }).first().click();
  await page.getByRole("link", { name: "180p", exact: true }).click();
  await expect(page.locator("video source").first()).toHaveAttribute("src", /video-180\.mp4/);
  await context.close();
});

test("captions are shown and remembered, scenes are found by their pictures, and the keyboard is enough", async ({
  page,
}) => {
  await signInAsNewSubscriber(page);
  await openByTitle(page, "Nine Days in May");
  await page.getByText("Captions", { exact: true }).first().click();
  await page.getByLabel("English").check();
  await page.getByLabel("Huge").check();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.reload();
  await untilScriptsRun(page);
  await expect.poll(() => captionsShown(page)).toBe("en");
  await press(page);
  await expect.poll(() => cuesShown(page)).toEqual(["[rain, far away]"]);
  await page.keyboard.press("k");
  await expect(page.locator("video")).toHaveAttribute("data-caption-size", "huge");
  await page.locator("h1").click();
  await page.keyboard.press("c");
  expect(await captionsShown(page)).toBeNull();
  await page.keyboard.press(">");
  await expect(page.locator("video")).toHaveJSProperty("playbackRate", 1.25);
  await page.getByText("Shortcuts", { exact: true }).first().click();
  await page.getByLabel("Use letters, digits and symbols as shortcuts").uncheck();
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press(">");
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("video")).toHaveJSProperty("playbackRate", 1.25);

  const timeline = page.getByRole("slider", { name: "Find a scene" });
  await page.locator("video").evaluate((video: HTMLVideoElement) => video.play());
  await page.keyboard.press("0");
  await timeline.focus();
  const spoken = await timeline.getAttribute("aria-valuetext");
  const from = await position(page);
  await expect.poll(() => position(page)).toBeGreaterThan(from + 1.2);
  expect(await timeline.getAttribute("aria-valuetext"), "it would talk over the video").toBe(spoken);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => position(page)).toBeGreaterThan(1);
  await timeline.hover();
  const picture = page.locator("[style*='sprite-1.webp']").last();
  await expect(picture).toBeVisible();
  const width = await picture.evaluate(async (element) => {
    const image = new Image();
    image.src = /url\("(.*)"\)/.exec(getComputedStyle(element).backgroundImage)?.[1] ?? "";
    await image.decode();
    return image.naturalWidth;
  });
  expect(width, "the sheet is there").toBeGreaterThan(100);
  expect(await findViolations(page)).toEqual([]);
});

test("a finger finds a scene by its picture", async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    ...{ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } },
    ...(baseURL ? { baseURL } : {}),
  });
  const page = await context.newPage();
  await signInAsNewSubscriber(page);
  await openByTitle(page, "Nine Days in May");
  await untilReady(page, "Media Source");
  const duration = () => page.locator("video").evaluate((video: HTMLVideoElement) => video.duration);
  await expect.poll(duration).toBeGreaterThan(0);
  const timeline = page.getByRole("slider", { name: "Find a scene" });
  await timeline.scrollIntoViewIfNeeded();
  const box = await timeline.boundingBox();
  if (!box) throw new Error("The timeline has no box");
  const touch = await context.newCDPSession(page);
  const move = (type: "touchStart" | "touchMove" | "touchEnd", part: number) =>
    touch.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x: box.x + box.width * part, y: box.y + box.height / 2 }],
    });
  await move("touchStart", 0.3);
  await move("touchMove", 0.5);
  await expect(page.locator("[style*='sprite-1.webp']").last()).toBeVisible();
  await move("touchMove", 0.6);
  await move("touchEnd", 0.6);
  await expect.poll(() => position(page)).toBeGreaterThan((await duration()) * 0.5);
  await expect(page.locator("[style*='sprite-1.webp']")).toHaveCount(0);
  await context.close();
});

test("cards of lists play their preview under the pointer, never with reduced motion, and a locked video's page its trailer", async ({
  page,
}) => {
  await enter(page);
  await page.goto("/content/video?sort=title");
  await untilScriptsRun(page);
  const card = page
    .getByRole("article")
    .filter({ has: page.locator("[data-preview*='trailer-hover']") })
    .first();
  await card.hover();
  await expect(card.locator("video")).toHaveJSProperty("muted", true);
  await expect(card.locator("video"), "visitors see moments of the trailer").toHaveAttribute(
    "src",
    /trailer-hover/,
  );
  await page.mouse.move(0, 0);
  await expect(card.locator("video")).toHaveCount(0);
  for (const ends of [true, false]) {
    await page.locator("header a").first().focus();
    // The browser shows the focus then.
    await page.keyboard.press("Tab");
    const link = card.getByRole("link").first();
    await link.focus();
    await expect(card.locator("video")).toBeVisible();
    if (!ends) await page.keyboard.press("Escape");
    await expect(card.locator("video"), "nothing moves for long beside a text: WCAG 2.2.2").toHaveCount(0);
    await expect(link).toBeFocused();
  }
  await page.evaluate(() =>
    Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true }),
  );
  await card.hover();
  await page.waitForTimeout(600);
  await expect(card.locator("video")).toHaveCount(0);
  await page.mouse.move(0, 0);
  await page.evaluate(() => Reflect.deleteProperty(navigator, "connection"));
  await card.dispatchEvent("pointerover", { pointerType: "touch", bubbles: true });
  await page.waitForTimeout(600);
  await expect(card.locator("video")).toHaveCount(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  let requests = 0;
  page.on("request", (request) => {
    if (request.url().includes("hover")) requests += 1;
  });
  await card.hover();
  await page.waitForTimeout(1_000);
  expect(requests).toBe(0);
  await expect(card.locator("video")).toHaveCount(0);
  await page.mouse.move(0, 0);

  await openByTitle(page, TITLE);
  const trailer = page.getByLabel(`Trailer of ${TITLE}`);
  await expect(page.getByText("Trailer", { exact: true })).toBeVisible();
  await trailer.evaluate((video: HTMLVideoElement) => video.play());
  await expect
    .poll(() => trailer.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(MOVED);
  const offer = page.getByRole("region", { name: "Watch the whole video" });
  await expect(offer).toContainText(/[$€£]\s?\d/);
  await expect(offer.getByRole("link").or(offer.getByRole("button"))).toHaveCount(1);
  expect(await findViolations(page)).toEqual([]);
});

test("a started video plays its preview in Continue and in the history", async ({ page }) => {
  await openVideo(page, "Media Source");
  const saved = savedProgress(page, (progress) => progress > 3);
  await play(page);
  await page.keyboard.press("4");
  await page.keyboard.press("k");
  await saved;
  for (const path of ["/", "/user/history"]) {
    await page.goto(path);
    await untilScriptsRun(page);
    const card = page
      .getByRole("article")
      .filter({ hasText: TITLE })
      .filter({ hasText: /0:\d\d/ })
      .first();
    await card.hover();
    await expect(card.locator("video"), path).toHaveAttribute("src", /\/hover\.mp4/);
    await page.mouse.move(0, 0);
    await expect(card.locator("video"), path).toHaveCount(0);
  }
});

/** The long one. */
async function openLong(page: Page, way: Way, search = ""): Promise<void> {
  const { path } = await longVideo();
  await openAdded(page, way, path + search);
}

async function openAdded(page: Page, way: Way, path: string): Promise<void> {
  await keepToWay(page, way);
  await signInAsNewSubscriber(page, path);
  await untilScriptsRun(page);
  await untilReady(page, way);
}

/** One with captions, whose files no other test needs. */
async function openReplaceable(page: Page, way: Way): Promise<AddedVideo> {
  const video = await addVideo({ seconds: 48, captions: ["de", "en"] });
  replaced.push(video);
  await withDatabase((sql) => sql`UPDATE media SET allow_download = true WHERE id = ${video.id}`);
  await openFailing(page, way, () => openAdded(page, way, video.path));
  return video;
}

async function replaceAndReload(page: Page, video: AddedVideo): Promise<void> {
  const download = page.getByRole("link", { name: /^Download 360p/ });
  const before = await download.getAttribute("href");
  await replaceFiles(video);
  await favorite(page).click();
  await expect(download).not.toHaveAttribute("href", before ?? "");
}

async function keepToWay(page: Page, way: Way): Promise<void> {
  if (way === "Media Source") return;
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "MediaSource");
    Reflect.deleteProperty(window, "ManagedMediaSource");
  });
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

async function openVideo(page: Page, way: Way): Promise<void> {
  await keepToWay(page, way);
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
  // Starts where the video has not been loaded, and not where it was left.
  await page.keyboard.press("0");
  fail();
}

async function untilReady(page: Page, way: Way): Promise<void> {
  if (way === "Media Source") await expect.poll(() => sourceOf(page)).toMatch(/^blob:/);
  if (way === "the browser's own HLS") await expect.poll(() => sourceOf(page)).toMatch(/\.m3u8$/);
}

/** The returned function makes requests for parts of the video fail, or lets them through again. */
async function openFailing(
  page: Page,
  way: Way,
  open: (page: Page, way: Way) => Promise<void> = openVideo,
): Promise<(failure: Failure | null) => void> {
  let current: Failure | null = null;
  await page.route(/\/media\/[^/]+\/(video-|rung-|master)/, async (route) => {
    const isLadder = !route.request().url().includes("/video-");
    if (way === "an MP4" && isLadder) return route.fulfill({ status: 404 });
    // The page's own MP4 would play before the ladder is there.
    if (way !== "an MP4" && !isLadder) return route.abort();
    if (current === null) return route.continue();
    if (current === "nothing") return route.abort("connectionrefused");
    // A playlist takes no slot.
    if (current === "too many" && /\.m3u8/.test(route.request().url())) return route.continue();
    if (current === "too many") {
      return route.fulfill({ status: 429, headers: { "X-Video-Refusal": "yes" }, body: TOO_MANY });
    }
    return route.fulfill({ status: current });
  });
  await open(page, way);
  return (failure) => {
    current = failure;
  };
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

async function openByTitle(page: Page, title: string): Promise<void> {
  await page.goto("/content/video?sort=title");
  await page.getByRole("link", { name: title, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await untilScriptsRun(page);
}

/** Chromium shows its buttons to nobody in a test. */
function pressOnLockScreen(page: Page, action: string, details = {}): Promise<void> {
  return page.evaluate(
    ([name, given]) => {
      const { lockScreen } = window as unknown as { lockScreen: Record<string, (given: object) => void> };
      lockScreen[name as string]?.(given as object);
    },
    [action, details],
  );
}

async function press(page: Page): Promise<void> {
  await page.locator("h1").click();
  await page.keyboard.press("k");
}

async function play(page: Page): Promise<void> {
  await press(page);
  await expect.poll(() => position(page)).toBeGreaterThan(MOVED);
}

async function chooseSize(page: Page, size: string): Promise<void> {
  await page.getByText("Size", { exact: true }).first().click();
  // The text, as people do; its button alone would miss a menu that closes under the finger.
  await page
    .locator("label")
    .filter({ hasText: new RegExp(`^\\s*${size}\\s*$`) })
    .click();
  await page.keyboard.press("Escape");
}

function favorite(page: Page) {
  return page.getByRole("button", { name: /^Favorite/ }).first();
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

function cuesShown(page: Page): Promise<string[]> {
  return page.locator("video").evaluate((video: HTMLVideoElement) => {
    const shown = [...video.textTracks].find(({ mode }) => mode === "showing");
    return [...(shown?.activeCues ?? [])].map((cue) => (cue as VTTCue).text);
  });
}
