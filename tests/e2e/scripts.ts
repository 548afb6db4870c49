import { expect, type Page, test } from "@playwright/test";

/** Where scripts run, waits until this page's do: keys mean nothing before, and a form is sent as without them. */
export async function untilScriptsRun(page: Page): Promise<void> {
  if (test.info().project.use.javaScriptEnabled === false) return;
  await expect(page.locator("body")).not.toHaveClass(/\bloading\b/);
}
