import { expect, type Page, test } from "@playwright/test";
import { findViolations } from "../support/browser/accessibility.ts";
import { withDatabase } from "../support/browser/database.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { signInAsNewStaff } from "../support/browser/studio.ts";

test("an owner sets the alarm addresses, sends a test, and finds an open alarm in the studio", async ({
  page,
  javaScriptEnabled,
}) => {
  const email = await signInAsNewStaff(page, "owner", "/studio/settings/alarms");
  try {
    await open(page, "/studio/settings/alarms", javaScriptEnabled);
    const alarms = page.getByRole("region", { name: "Alarms", exact: true });
    const field = alarms.getByLabel("Alarm addresses");
    await expect(alarms.getByText(email)).toBeVisible();
    await field.fill("ann@example.com\nnobody");
    await alarms.getByRole("button", { name: "Save", exact: true }).click();
    await expect(alarms.getByText("Line 2 must be one email address: “nobody”.").first()).toBeVisible();
    await expect(field).toHaveValue("ann@example.com\nnobody");
    await field.fill("ann@example.com\nbob@example.com");
    await alarms.getByRole("button", { name: "Save", exact: true }).click();
    await expect(alarms.getByRole("status").first()).toContainText("are saved");

    await field.fill("typed later");
    await alarms.getByRole("button", { name: "Send a test alarm" }).click();
    await expect(alarms.getByRole("status").nth(1)).toContainText(
      "A test alarm is on its way to ann@example.com, bob@example.com.",
    );
    await expect(field).toHaveValue("typed later");
    if (javaScriptEnabled) expect(await findViolations(page)).toEqual([]);

    await withDatabase(
      (sql) => sql`INSERT INTO alarms (kind, amount, since) VALUES ('backup', 0, '2026-11-26T10:30:00Z')`,
    );
    await open(page, "/studio", javaScriptEnabled);
    await page.getByRole("link", { name: "No nightly backup was made" }).click();
    await expect(page.getByText(/Since 26 Nov 2026, 10:30\./)).toBeVisible();
    await expect(page).toHaveURL(/#late-backup$/);
    await expect(page.locator("#late-backup")).toContainText("npm run doctor");
    if (javaScriptEnabled) expect(await findViolations(page)).toEqual([]);
  } finally {
    await withDatabase(async (sql) => {
      await sql`DELETE FROM site_settings WHERE name LIKE 'site.%'`;
      await sql`DELETE FROM alarms`;
    });
  }
});

async function open(page: Page, path: string, hasScripts: boolean): Promise<void> {
  await page.goto(path);
  if (hasScripts) await untilScriptsRun(page);
}
