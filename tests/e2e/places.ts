import { expect, type Page, type Request } from "@playwright/test";
import { untilScriptsRun } from "./scripts.ts";

/** Starts the film that is open and waits until it is past these seconds. */
export async function play(page: Page, from = 0): Promise<void> {
  await untilScriptsRun(page);
  await page.locator("h1").click();
  await page.keyboard.press("k");
  await expect.poll(() => position(page), { message: "this browser plays H.264" }).toBeGreaterThan(from);
  await expect(page.locator("video")).toHaveJSProperty("paused", false);
}

/** Seconds. */
export function position(page: Page): Promise<number> {
  return page.locator("video").evaluate((video: HTMLVideoElement) => video.currentTime);
}

/**
 * Waits until the place that is meant is saved, and returns it as it is then stored. Earlier ones may still be on their way,
 * so it has to be told which: ask before what leads to it.
 */
export async function savedPlace(page: Page, isMeant: (progress: number) => boolean): Promise<number> {
  const answer = await page.waitForResponse(
    (response) => response.url().endsWith("/api/views") && isMeant(sentPlace(response.request())),
  );
  return (await answer.json()).progress;
}

/** -1 where the request names none. */
export function sentPlace(request: Request): number {
  return Number(new URLSearchParams(request.postData() ?? "").get("progress") ?? -1);
}

/** How many wait in the tab to be sent. */
export function storedPlaces(page: Page): Promise<number> {
  return page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("place:")).length);
}
