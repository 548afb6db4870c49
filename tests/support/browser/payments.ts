import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { ownSite } from "./sites.ts";

/** Presses a button of the stand-in's control page: "advance 7" moves its clock by a week. */
export async function press(page: Page, intent: string): Promise<void> {
  const settings = JSON.parse(await readFile(join(ownSite().dataDir, "stand-in.settings.json"), "utf8"));
  const answer = await page.request.post(settings.STRIPE_API_URL, { form: { intent } });
  expect(answer.status(), intent).toBe(200);
}

/** Reloads the account until it shows these words about the subscription, because events arrive with a delay. */
export async function expectSoon(page: Page, words: RegExp): Promise<void> {
  await expect(async () => {
    await page.goto("/user/account");
    await expect(page.locator("#subscription")).toContainText(words, { timeout: 500 });
  }).toPass({ timeout: 30_000 });
}
