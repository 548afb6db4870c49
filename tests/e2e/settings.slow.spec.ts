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
  const go = (name: string) => openPart(page, name, javaScriptEnabled);
  try {
    const name = await go("Name and home page");
    await name.getByLabel("Site name").fill("Lantern");
    await name.getByRole("button", { name: "Preview" }).click();
    await expect(name.getByRole("region", { name: "Preview" })).toContainText("Lantern");
    await expect(page.getByRole("banner")).toContainText("Peony");
    await save(name);
    await expect(name.getByRole("status").first()).toContainText("are saved");
    await expect(page.getByRole("banner")).toContainText("Lantern");

    const color = await go("Color");
    const typed = color.getByLabel("Color", { exact: true });
    await typed.fill("#ffc0cb");
    const picker = color.getByLabel("Choose");
    if (javaScriptEnabled) {
      await expect(picker).toHaveValue("#ffc0cb");
      await picker.fill("#ffd0d0");
      await expect(typed).toHaveValue("#ffd0d0");
      await typed.fill("FFC0CB");
      await expect(picker).toHaveValue("#ffc0cb");
    }
    await save(color);
    await expect(color.getByText(/needs 4\.5:1/).first()).toBeVisible();
    await expect(color.getByRole("region", { name: "Preview" })).toBeVisible();
    await expect(typed).toHaveValue(/^#?ffc0cb$/i);
    await color.getByRole("button", { name: /^Save #[0-9a-f]{6} instead$/ }).click();
    await expect(color.getByRole("status").first()).toContainText("The color is saved.");

    const picture = await go("Logo");
    await picture
      .getByLabel("Picture file")
      .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: logo });
    await picture.getByRole("button", { name: "Preview" }).click();
    await expect(picture.getByText("Save it to use it.")).toBeVisible();
    await save(picture);
    await expect(page.getByRole("banner").getByRole("img", { name: "Lantern" })).toBeVisible();

    const about = await go("About");
    await about.getByLabel("About text").fill("# About us\n\nWe are **few**.");
    await about.getByRole("button", { name: "Preview" }).click();
    await expect(about.getByRole("region", { name: "Preview" })).toContainText("We are few.");
    await save(about);
    await expect(about.getByRole("status").first()).toContainText("saved");
    await about.getByRole("link", { name: "View the page" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("About us");

    for (const title of ["Name and home page", "Color", "Logo", "About"]) {
      const section = await go(title);
      await section.getByRole("button", { name: "Reset to default" }).click();
      await expect(section.getByRole("button", { name: "Reset to default" })).toHaveCount(0);
    }
    await expect(page.getByRole("banner")).toContainText("Peony");
  } finally {
    await withDatabase((sql) => sql`DELETE FROM site_settings WHERE name LIKE 'site.%'`);
  }
});

async function openPart(page: Page, title: string, hasScripts: boolean): Promise<Locator> {
  await page.goto("/studio/settings");
  await page.getByRole("navigation", { name: "Parts" }).getByRole("link", { name: title }).click();
  const part = page.getByRole("region", { name: title, exact: true });
  await expect(part).toBeVisible();
  if (hasScripts) await untilScriptsRun(page);
  return part;
}

async function save(part: Locator): Promise<void> {
  await part.getByRole("button", { name: "Save", exact: true }).click();
}

test("a bookmark of a section that the page of settings once had leads to its part", async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, "servers do not see anchors, and the list of parts has a link");
  await signInAsNewStaff(page, "owner", "/studio/settings");
  await page.goto("/studio/settings#terms");
  await expect(page).toHaveURL(/\/studio\/settings\/terms$/);
});
