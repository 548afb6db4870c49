import { expect, type Page, type Request } from "@playwright/test";
import { untilScriptsRun } from "./scripts.ts";

/** Opens the first video of the list by title. */
export async function openVideo(page: Page): Promise<{ title: string }> {
  await page.goto("/content/video?sort=title");
  const link = page.getByRole("article").first().getByRole("link").first();
  const title = (await link.textContent()) ?? "";
  await link.click();
  await expect(page.locator("video")).toBeVisible();
  return { title };
}

/** Plays the open video and waits until its progress exceeds `from` seconds. */
export async function play(page: Page, from = 0): Promise<void> {
  await untilScriptsRun(page);
  await page.locator("h1").click();
  await page.keyboard.press("k");
  await expect.poll(() => position(page), { message: "this browser plays H.264" }).toBeGreaterThan(from);
  await expect(page.locator("video")).toHaveJSProperty("paused", false);
}

/** A slow machine takes longer than the video. */
export async function loop(page: Page): Promise<void> {
  await page.locator("video").evaluate((video: HTMLVideoElement) => {
    video.loop = true;
  });
}

/** The progress of the video, in seconds. */
export function position(page: Page): Promise<number> {
  return page.locator("video").evaluate((video: HTMLVideoElement) => video.currentTime);
}

/**
 * Waits until the progress that meets `isMeant` is saved, and returns the stored value. Earlier saves may still be in
 * progress, so the condition identifies the right one. Call this before the action that causes the save.
 */
export async function savedProgress(page: Page, isMeant: (progress: number) => boolean): Promise<number> {
  const answer = await page.waitForResponse(
    (response) => response.url().endsWith("/api/views") && isMeant(sentProgress(response.request())),
  );
  return (await answer.json()).progress;
}

/** -1 when the request has no progress. */
function sentProgress(request: Request): number {
  return Number(new URLSearchParams(request.postData() ?? "").get("progress") ?? -1);
}

/** The number of values that wait in the tab to be sent. */
export function storedProgress(page: Page): Promise<number> {
  return page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("progress:")).length);
}
