import { expect, type Page, test } from "@playwright/test";

/**
 * With scripts enabled, waits until the page's scripts run: until then, keys have no effect and forms are sent as
 * without scripts.
 */
export async function untilScriptsRun(page: Page): Promise<void> {
  if (test.info().project.use.javaScriptEnabled === false) return;
  await expect(page.locator("body")).not.toHaveClass(/\bloading\b/);
}
