import type { Page } from "@playwright/test";

/** On a small screen a list's filters are folded away. */
export async function unfoldFilters(page: Page): Promise<void> {
  const folded = page.locator("main summary", { hasText: "Filter and sort" });
  await folded.waitFor({ state: "attached" });
  // A page whose style has not come yet shows what the style will hide.
  await page.waitForLoadState();
  if (await folded.isVisible()) await folded.click();
}
