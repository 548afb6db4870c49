import { expect, type Locator, type Page, test } from "@playwright/test";
import { holdRequests } from "../support/browser/paused-requests.ts";
import { enter, signInAsNewSubscriber } from "../support/browser/people.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";

for (const width of [320, 1280]) {
  test(`the account menu opens and closes by pointer and by keyboard at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await signInAsNewSubscriber(page);
    const button = page.locator("summary", { hasText: "Your menu" });
    const first = page.getByRole("link", { name: "Your Account" });
    await expectOpensAndCloses(page, button, first);
    await expectInside(page, page.locator("details", { has: button }).locator("> div"));

    await page.keyboard.press("Tab");
    await expect(first).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(first).toBeHidden();
    await expect(button).toBeFocused();

    await page.keyboard.press("Space");
    await first.click();
    await expect(page).toHaveURL(/\/user\/account$/);
    await expect(first).toBeHidden();
  });
}

test("the small navigation opens and closes by pointer and by keyboard, and when the window grows", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/about");
  const button = page.locator("summary", { hasText: "Menu" });
  const first = page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Creators" });
  await expectOpensAndCloses(page, button, first);
  await expectInside(page, page.getByRole("navigation", { name: "Menu" }));
  await page.setViewportSize({ width: 1280, height: 844 });
  await expect(first).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(first).toBeHidden();
});

test("a menu opened again while the chosen page is loading stays open", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page);
  await untilScriptsRun(page);
  const arrive = await holdRequests(page, "**/creators.data*");
  const button = page.locator("summary", { hasText: "Menu" });
  const chosen = page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Creators" });
  await button.click();
  await chosen.click();
  await expect(chosen).toBeHidden();
  await button.click();
  arrive();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Creators");
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  await expect(chosen).toBeVisible();
});

/** Leaves the menu open, with the focus on its button. */
async function expectOpensAndCloses(page: Page, button: Locator, first: Locator): Promise<void> {
  await untilScriptsRun(page);
  await expect(first).toBeHidden();
  await button.click();
  await expect(first).toBeVisible();
  await button.click();
  await expect(first).toBeHidden();
  await button.click();
  await page.getByRole("contentinfo").click({ position: { x: 1, y: 1 } });
  await expect(first).toBeHidden();
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(first).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(first).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(first).toBeVisible();
}

async function expectInside(page: Page, panel: Locator): Promise<void> {
  const box = await panel.boundingBox();
  const width = page.viewportSize()?.width ?? 0;
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
}
