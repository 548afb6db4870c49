import { type CDPSession, expect, type Page, test } from "@playwright/test";
import { findViolations } from "../support/browser/accessibility.ts";
import { signInAsNewSubscriber } from "../support/browser/people.ts";
import { savedProgress } from "../support/browser/progress.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";

const RESTS_MS = 200;
const MIDDLE = 400;
type Point = { x: number; y: number; id?: number };

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test("a set is looked through with fingers, a photo is kept, and Back and the next visit know the photo", async ({
  page,
}) => {
  await signInAsNewSubscriber(page);
  await page.goto("/content/photoSet?sort=title");
  const set = (await page.getByRole("article").nth(2).getByRole("link").first().getAttribute("href")) ?? "";
  await page.goto(set);
  await untilScriptsRun(page);
  const fingers = await page.context().newCDPSession(page);
  const viewer = page.getByRole("dialog");

  await page.getByRole("link", { name: /Photo 2 of/ }).tap();
  await expect(viewer.getByText(/^2 of \d+$/)).toBeVisible();
  await expect.poll(() => shownWidth(page)).toBeGreaterThan(0);
  expect(await findViolations(page)).toEqual([]);
  const saved = savedProgress(page, (progress) => progress === 3);
  await swipe(fingers, 330, 60);
  await expect(page).toHaveURL(`${set}/3`);
  await saved;

  const fitted = await shownWidth(page);
  await pinch(fingers, 20, 220);
  await expect.poll(() => shownWidth(page)).toBeGreaterThan(fitted * 1.5);
  await viewer.getByRole("button", { name: "Zoom" }).tap();
  await expect.poll(() => shownWidth(page)).toBeCloseTo(fitted, 0);

  const kept = page.waitForResponse((response) => response.url().endsWith("/api/favorites"));
  await viewer.getByRole("button", { name: "Favorite: photo 3" }).tap();
  expect((await kept).status()).toBe(200);
  await viewer.getByRole("button", { name: "Start a slideshow" }).tap();
  await viewer.getByLabel("Seconds for each photo").selectOption("3");
  await expect(page).toHaveURL(`${set}/4`);
  await viewer.getByRole("button", { name: "Stop the slideshow" }).tap();

  await page.goBack();
  await expect(viewer).toHaveCount(0);
  await expect(page).toHaveURL(set);
  await expect(page.getByRole("link", { name: /Photo 4 of/ })).toBeFocused();
  await expect(page.getByRole("link", { name: /Photo 3 of \d+, a favorite$/ })).toBeVisible();
  await page.getByRole("link", { name: /^Continue at photo 4/ }).tap();
  await expect(viewer.getByText(/^4 of \d+$/)).toBeVisible();
  await page.goBack();
  await expect(viewer).toHaveCount(0);

  await page.goto("/user/favorites?type=photo");
  await page.getByRole("article").getByRole("link").click();
  await expect(page).toHaveURL(`${set}/3`);
  await untilScriptsRun(page);
  await page.getByRole("link", { name: "Enlarge photo 3" }).tap();
  // It takes the focus when it listens.
  await expect(viewer).toBeFocused();
  await swipe(fingers, 60, 330);
  await expect(page).toHaveURL(`${set}/2`);
  await viewer.getByRole("button", { name: "Close" }).tap();
  await expect(viewer).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/2 of \d+/);
});

test("keys turn the photos and close the viewer, and calm people get no slideshow", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await signInAsNewSubscriber(page);
  await page.goto("/content/photoSet?sort=title");
  await page.goto(
    (await page.getByRole("article").first().getByRole("link").first().getAttribute("href")) ?? "",
  );
  await untilScriptsRun(page);
  const set = page.url();
  const viewer = page.getByRole("dialog");
  await page.getByRole("link", { name: /Photo 1 of/ }).press("Enter");
  await expect(viewer.getByText(/^1 of \d+$/)).toBeVisible();
  await expect(viewer.getByRole("button", { name: "Start a slideshow" })).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(`${set}/2`);
  for (let step = 0; step < 8; step++) await page.keyboard.press("Tab");
  expect(await viewer.evaluate((root) => root.contains(document.activeElement))).toBe(true);
  await page.keyboard.press("Escape");
  await expect(viewer).toHaveCount(0);
  await expect(page).toHaveURL(set);
  await expect(page.getByRole("link", { name: /Photo 2 of/ })).toBeFocused();
});

/** The width on the screen, whatever the zoom. */
function shownWidth(page: Page): Promise<number> {
  return page
    .locator(".pswp__item[aria-hidden=false] img.pswp__img:not(.pswp__img--placeholder)")
    .evaluateAll(([photo]) => photo?.getBoundingClientRect().width ?? 0);
}

async function swipe(fingers: CDPSession, from: number, to: number): Promise<void> {
  await drag(fingers, (part) => [{ x: from + (to - from) * part, y: MIDDLE }]);
}

async function pinch(fingers: CDPSession, from: number, to: number): Promise<void> {
  await drag(fingers, (part) => {
    const half = (from + (to - from) * part) / 2;
    return [
      { x: 195 - half, y: MIDDLE, id: 0 },
      { x: 195 + half, y: MIDDLE, id: 1 },
    ];
  });
}

async function drag(fingers: CDPSession, at: (part: number) => Point[]): Promise<void> {
  const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]) =>
    fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
  await send("touchStart", at(0));
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) await send("touchMove", at(part));
  // Chromium takes a tap after a fling for its end: the finger rests before it is lifted.
  await new Promise((resolve) => setTimeout(resolve, RESTS_MS));
  await send("touchEnd", []);
}
