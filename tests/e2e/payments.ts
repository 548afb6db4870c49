import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { withDatabase } from "./database.ts";

const DATA_DIR = process.env.E2E_DATA_DIR ?? "test-results/data";

/** Presses a button of the stand-in's own page: "advance 7" moves its clock by a week. */
export async function press(page: Page, intent: string): Promise<void> {
  const settings = JSON.parse(await readFile(join(DATA_DIR, "stripe-stand-in.settings.json"), "utf8"));
  const answer = await page.request.post(settings.STRIPE_API_URL, { form: { intent } });
  expect(answer.status(), intent).toBe(200);
}

/** What was bought with this address. */
export async function subscriptionOf(email: string): Promise<string> {
  const [row] = await withDatabase(
    (sql) => sql<{ id: string }[]>`
      SELECT s.id FROM subscriptions s JOIN users u ON u.id = s.user_id WHERE u.email = ${email}`,
  );
  return row?.id ?? "";
}

/** Opens a page again until it says so: events arrive when they arrive. */
export async function expectSoon(page: Page, path: string, words: RegExp): Promise<void> {
  await expect(async () => {
    await page.goto(path);
    await expect(page.locator("main")).toContainText(words, { timeout: 500 });
  }).toPass({ timeout: 30_000 });
}
