import type { Page } from "@playwright/test";

/** A list's filters are collapsed on a small screen. */
export async function unfoldFilters(page: Page): Promise<void> {
  const folded = page.locator("main summary", { hasText: "Filter and sort" });
  await folded.waitFor({ state: "attached" });
  // Before its style has loaded, a page shows elements that the style will hide.
  await page.waitForLoadState();
  if (await folded.isVisible()) await folded.click();
}
