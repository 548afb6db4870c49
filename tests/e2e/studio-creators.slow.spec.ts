import { randomBytes } from "node:crypto";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { withDatabase } from "../support/browser/database.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { addDrafts, removeItems, signInAsNewStaff } from "../support/browser/studio.ts";

const sectionOf = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
const openPart = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Parts" }).getByRole("link", { name }).click();
const save = (section: Locator) => section.getByRole("button", { name: "Save", exact: true }).click();

async function open(page: Page, entry: string): Promise<void> {
  await page
    .getByRole("navigation", { name: "Studio" })
    .getByRole("link", { name: entry, exact: true })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(entry);
}

/** A word for names that no other test has. */
const newWord = () => `Name${randomBytes(4).toString("hex")}`;

async function remove(word: string): Promise<void> {
  const pattern = `%${word}%`;
  await withDatabase(async (sql) => {
    await sql`DELETE FROM creators WHERE name LIKE ${pattern}`;
    await sql`DELETE FROM tags WHERE name LIKE ${pattern}`;
  });
}

test("an editor adds a creator, writes the page, and merges it into another one", async ({ page }) => {
  const word = newWord();
  const { ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "editor", "/studio");
    await open(page, "Creators");
    for (const name of [`${word} Other`, `${word} First`]) {
      await untilScriptsRun(page);
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
      if (name.endsWith("Other")) await open(page, "Creators");
    }
    const creator = new URL(page.url()).pathname;
    await untilScriptsRun(page);
    const text = sectionOf(page, "Name and texts");
    const address = text.getByLabel("Address", { exact: true });
    await address.fill("Not an address");
    await text.getByLabel("Biography").fill(`About **${word}**`);
    await save(text);
    await expect(page.getByRole("alert")).toContainText("letters from a to z");
    await expect(text.getByLabel("Biography")).toHaveValue(`About **${word}**`);
    await address.fill(word.toLowerCase());
    await text.getByRole("button", { name: "Preview" }).click();
    await expect(text.getByRole("region").locator("strong")).toHaveText(word);
    await text.getByLabel("Label of link 1").fill("Site");
    await text.getByLabel("Address of link 1").fill("javascript:alert(1)");
    await save(text);
    await expect(page.getByRole("alert")).toContainText("must begin with https://");
    await expect(text.getByLabel("Label of link 1")).toHaveValue("Site");
    await text.getByLabel("Address of link 1").fill("https://example.com/");
    await save(text);
    await expect(text.getByRole("status")).toHaveText("Name and texts are saved.");

    await page.goto(`/studio/media/${ids[0]}/credits`);
    await untilScriptsRun(page);
    const credits = sectionOf(page, "Credits and tags");
    await credits.getByRole("combobox", { name: "Creator 1" }).fill(`${word} First`);
    await save(credits);
    await credits.getByRole("link", { name: `${word} First` }).click();
    await expect(page).toHaveURL(new RegExp(`${creator}$`));
    await expect(page.getByRole("link", { name: "1 work", exact: true })).toBeVisible();

    await openPart(page, "Merge");
    await page.getByLabel("Merge into the creator").fill(`${word} Other`);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("heading", { name: "What would happen" })).toBeVisible();
    await expect(page.getByRole("main")).toContainText(
      `1 item of “${word} First” would move to “${word} Other”`,
    );
    await page.getByRole("button", { name: "Merge the two" }).click();
    await expect(page.getByText("The two creators are merged.")).toBeVisible();
    await expect(page.getByLabel("Other name 1")).toHaveValue(`${word} First`);
    await page.goto(`/creators/${word.toLowerCase()}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${word} Other`);
    await page.getByRole("link", { name: "Edit this creator in the studio" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${word} Other`);
  } finally {
    await removeItems(ids);
    await remove(word);
  }
});

test("a portrait is chosen, uploaded with its text, and removed", async ({ page }) => {
  const word = newWord();
  try {
    await signInAsNewStaff(page, "editor", "/studio/creators");
    await untilScriptsRun(page);
    await page.getByLabel("Name", { exact: true }).fill(word);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await openPart(page, "Portrait");
    const portrait = sectionOf(page, "Portrait");
    const alt = portrait.getByLabel("Alternative text");
    await alt.fill("A flower");
    await portrait.getByLabel("Picture file").setInputFiles("docs/screenshots/videos-light-1280.png");
    await save(portrait);
    await expect(portrait.getByRole("status")).toHaveText("The portrait is saved.", { timeout: 30_000 });
    await expect(alt).toHaveValue("A flower");
    await expect(portrait.getByRole("img", { name: "A flower" })).toBeVisible();
    await alt.fill("A leaf");
    await portrait.getByLabel("Another picture").setInputFiles("docs/screenshots/videos-light-1280.png");
    await save(portrait);
    await expect(portrait.getByRole("img", { name: "A leaf" })).toBeVisible({ timeout: 30_000 });
    await expect(alt).toHaveValue("A leaf");
    await expect(portrait.getByLabel("Another picture")).toHaveValue("");
    await page.getByRole("button", { name: "Remove the portrait" }).click();
    await expect(portrait.getByRole("status")).toHaveText("The portrait is removed.");
  } finally {
    await remove(word);
  }
});

test("a tag is renamed, and deleted from the items that have it", async ({ page }) => {
  const word = newWord();
  const { ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "editor", `/studio/media/${ids[0]}/credits`);
    await untilScriptsRun(page);
    const tags = sectionOf(page, "Credits and tags");
    await tags.getByLabel("Add tags").fill(word);
    await save(tags);
    await expect(tags.getByLabel(word)).toBeChecked();
    await open(page, "Tags");
    await page.getByRole("searchbox").fill(word);
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page.getByRole("link", { name: "1 item", exact: true })).toBeVisible();
    await page.getByRole("link", { name: word, exact: true }).click();
    await untilScriptsRun(page);
    const name = sectionOf(page, "Name");
    await name.getByLabel("Name").fill(`${word} anew`);
    await save(name);
    await expect(name.getByRole("status")).toHaveText("The name is saved.");
    await openPart(page, "Delete");
    await page.getByLabel("Yes, delete this tag and remove it from 1 item").check();
    await page.getByRole("button", { name: "Delete it", exact: true }).click();
    await expect(page.getByText("The tag is deleted.")).toBeVisible();
  } finally {
    await removeItems(ids);
    await remove(word);
  }
});
