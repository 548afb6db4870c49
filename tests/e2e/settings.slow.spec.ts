import { expect, type Locator, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { withDatabase } from "../support/browser/database.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { signInAsNewStaff } from "../support/browser/studio.ts";

test("an owner changes name, color, logo and a text, each after a preview, and resets them", async ({
  page,
  javaScriptEnabled,
}) => {
  const logo = await sharp({ create: { width: 600, height: 120, channels: 4, background: "#0b5fa5" } })
    .png()
    .toBuffer();
  await signInAsNewStaff(page, "owner", "/studio/settings");
  try {
    await open(page, javaScriptEnabled);
    const name = sectionOf(page, "Name and home page");
    await name.getByLabel("Site name").fill("Lantern");
    await name.getByRole("button", { name: "Preview" }).click();
    await expect(name.getByRole("region", { name: "Preview" })).toContainText("Lantern");
    await expect(page.getByRole("banner")).toContainText("Peony");
    await save(name);
    await expect(name.getByRole("status").first()).toContainText("are saved");
    await expect(page.getByRole("banner")).toContainText("Lantern");

    const color = sectionOf(page, "Color");
    await color.getByLabel("Color", { exact: true }).fill("#ffc0cb");
    await save(color);
    await expect(color.getByText(/needs 4\.5:1/)).toBeVisible();
    await expect(color.getByLabel("Color", { exact: true })).toHaveValue("#ffc0cb");
    await color.getByRole("button", { name: /^Save #[0-9a-f]{6} instead$/ }).click();
    await expect(color.getByRole("status").first()).toContainText("The color is saved.");

    const picture = sectionOf(page, "Logo");
    await picture
      .getByLabel("Picture file")
      .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: logo });
    await picture.getByRole("button", { name: "Upload" }).click();
    await expect(picture.getByText("Save it to use it.")).toBeVisible();
    await save(picture);
    await expect(page.getByRole("banner").getByRole("img", { name: "Lantern" })).toBeVisible();

    const about = sectionOf(page, "About");
    await about.getByLabel("About text").fill("# About us\n\nWe are **few**.");
    await about.getByRole("button", { name: "Preview" }).click();
    await expect(about.getByRole("region", { name: "Preview" })).toContainText("We are few.");
    await save(about);
    await expect(about.getByRole("status").first()).toContainText("saved");
    await page.goto("/about");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("About us");

    await open(page, javaScriptEnabled);
    for (const title of ["Name and home page", "Color", "Logo", "About"]) {
      const section = sectionOf(page, title);
      await section.getByRole("button", { name: "Reset to default" }).click();
      await expect(section.getByRole("button", { name: "Reset to default" })).toHaveCount(0);
    }
    await expect(page.getByRole("banner")).toContainText("Peony");
  } finally {
    await withDatabase((sql) => sql`DELETE FROM site_settings WHERE name LIKE 'site.%'`);
  }
});

async function open(page: Page, hasScripts: boolean): Promise<void> {
  await page.goto("/studio/settings");
  if (hasScripts) await untilScriptsRun(page);
}

async function save(section: Locator): Promise<void> {
  await section.getByRole("button", { name: "Save", exact: true }).click();
}

function sectionOf(page: Page, title: string): Locator {
  return page.getByRole("region", { name: title, exact: true });
}
