import { expect, test } from "@playwright/test";
import { enter } from "../support/browser/people.ts";

test("choosing an entry of the small menu goes there and closes it", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page);
  const button = page.locator("summary", { hasText: "Menu" });
  const menu = page.getByRole("navigation", { name: "Menu" });
  for (const [name, path] of [
    ["Creators", "/creators"],
    ["Videos", "/content/video"],
    ["Photos", "/content/photoSet"],
    ["Subscribe", "/subscribe"],
  ] as const) {
    await expect(menu).toBeHidden();
    await button.click();
    await menu.getByRole("link", { name }).click();
    await expect(page).toHaveURL((url) => url.pathname === path);
    await expect(menu).toBeHidden();
    await button.click();
    await expect(menu.getByRole("link", { name })).toHaveAttribute("aria-current", "page");
    await expect(menu.locator("[aria-current]")).toHaveCount(1);
    // The entry of the current page also closes the menu.
    await menu.getByRole("link", { name }).click();
    await expect(menu).toBeHidden();
  }
});
