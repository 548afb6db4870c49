import { expect, type Page } from "@playwright/test";
import { signInAsNewSubscriber } from "./people.ts";
import { position } from "./progress.ts";
import { untilScriptsRun } from "./scripts.ts";

export const TITLE = "Under the Skin of Water";
export const MOVED = 0.5;
export type Way = "Media Source" | "the browser's own HLS" | "an MP4";
/** The answer to a request for a part of the video while it is failing. */
export type Failure = "nothing" | "too many" | 429 | 503 | 403;
export const TOO_MANY = "You play as many videos as you may.";

export async function openAdded(page: Page, way: Way, path: string): Promise<void> {
  await keepToWay(page, way);
  await signInAsNewSubscriber(page, path);
  await untilScriptsRun(page);
  await untilReady(page, way);
}

async function keepToWay(page: Page, way: Way): Promise<void> {
  if (way === "Media Source") return;
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "MediaSource");
    Reflect.deleteProperty(window, "ManagedMediaSource");
  });
}

export async function openVideo(page: Page, way: Way): Promise<void> {
  await keepToWay(page, way);
  await signInAsNewSubscriber(page);
  await openByTitle(page, TITLE);
  await untilReady(page, way);
}

export async function untilReady(page: Page, way: Way): Promise<void> {
  if (way === "Media Source") await expect.poll(() => sourceOf(page)).toMatch(/^blob:/);
  if (way === "the browser's own HLS") await expect.poll(() => sourceOf(page)).toMatch(/\.m3u8$/);
}

/** The returned function makes requests for parts of the video fail, or lets them through again. */
export async function openFailing(
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

export async function openByTitle(page: Page, title: string): Promise<void> {
  await page.goto("/content/video?sort=title");
  await page.getByRole("link", { name: title, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await untilScriptsRun(page);
}

export async function press(page: Page): Promise<void> {
  await page.locator("h1").click();
  await page.keyboard.press("k");
}

export async function play(page: Page): Promise<void> {
  await press(page);
  await expect.poll(() => position(page)).toBeGreaterThan(MOVED);
}

export async function chooseSize(page: Page, size: string): Promise<void> {
  await page.getByText("Size", { exact: true }).first().click();
  // The text, as people do; its button alone would miss a menu that closes under the finger.
  await page
    .locator("label")
    .filter({ hasText: new RegExp(`^\\s*${size}\\s*$`) })
    .click();
  await page.keyboard.press("Escape");
}

export function favorite(page: Page) {
  return page.getByRole("button", { name: /^Favorite/ }).first();
}

export function problem(page: Page) {
  return page.getByRole("alert").locator("p");
}

export function shownHeight(page: Page): Promise<number> {
  return page.locator("video").evaluate((video: HTMLVideoElement) => video.videoHeight);
}

export function sourceOf(page: Page): Promise<string> {
  return page.locator("video").evaluate((video: HTMLVideoElement) => video.src);
}
