import { expect, type Page, test } from "@playwright/test";
import { findViolations } from "../support/browser/accessibility.ts";
import { type AddedVideo, addVideo, removeVideos, replaceFiles } from "../support/browser/added-video.ts";
import { withDatabase } from "../support/browser/database.ts";
import { enter, signInAsNewSubscriber } from "../support/browser/people.ts";
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
  untilReady,
  type Way,
} from "../support/browser/player.ts";
import { position, savedProgress } from "../support/browser/progress.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";

/** So much is never loaded ahead of the beginning. */
const LONG_SECONDS = 96;
let long: AddedVideo | undefined;
let withAudioTracks: AddedVideo | undefined;
const replaced: AddedVideo[] = [];
const longVideo = async () => (long ??= await addVideo({ seconds: LONG_SECONDS }));
test.afterAll(() => removeVideos([long, withAudioTracks]));
// With more of them, the demo's videos would not be on the first page of the list by title.
test.afterEach(() => removeVideos(replaced.splice(0)));

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

test("Space plays and pauses after a click on the timeline, a chapter or the title, and keeps its use in forms", async ({
  page,
}) => {
  await signInAsNewSubscriber(page);
  await openByTitle(page, "Nine Days in May");
  await untilScriptsRun(page);
  const video = page.locator("video");
  const timeline = page.getByRole("slider", { name: "Find a scene" });
  const chapter = page.locator("section[aria-labelledby=chapters] a").first();
  for (const clicked of [timeline, chapter, page.locator("h1")]) {
    await clicked.click();
    const [before, scrolled] = await page.evaluate(() => [
      document.querySelector("video")?.paused,
      window.scrollY,
    ]);
    await page.keyboard.press("Space");
    await expect(video).toHaveJSProperty("paused", !before);
    expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
  }
  const isPaused = await video.evaluate((player: HTMLVideoElement) => player.paused);
  await page.getByText("Shortcuts", { exact: true }).first().focus();
  await page.keyboard.press("Space");
  const letters = page.getByLabel("Use letters, digits and symbols as shortcuts");
  await letters.focus();
  await page.keyboard.press("Space");
  await expect(letters).not.toBeChecked();
  await expect(video).toHaveJSProperty("paused", isPaused);
});

test("a video has one timeline: the browser's is hidden where ours works, but not in full screen", async ({
  page,
}) => {
  await signInAsNewSubscriber(page);
  await openByTitle(page, "Nine Days in May");
  await untilScriptsRun(page);
  const client = await page.context().newCDPSession(page);
  await client.send("DOM.enable");
  await client.send("CSS.enable");
  const shown = async () => {
    const { nodes } = await client.send("DOM.getFlattenedDocument", { depth: -1, pierce: true });
    const browsers = nodes.find(({ attributes }) => attributes?.includes("-webkit-media-controls-timeline"));
    const { nodeId = 0 } = browsers ?? {};
    const { computedStyle } = await client.send("CSS.getComputedStyleForNode", { nodeId });
    return computedStyle.find(({ name }) => name === "visibility")?.value;
  };
  await expect.poll(shown).toBe("hidden");
  await page.keyboard.press("f");
  await expect.poll(shown).toBe("visible");
  await page.keyboard.press("f");
  await expect.poll(shown).toBe("hidden");
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
  await expect(offer.getByRole("link")).toHaveText([/^Subscribe from [$€£]\s?\d/, "Sign in"]);
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
