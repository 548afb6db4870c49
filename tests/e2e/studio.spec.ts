import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { signInAsNewMember } from "../support/browser/people.ts";
import { addDrafts, nextFriday, removeItems, signInAsNewStaff } from "../support/browser/studio.ts";

test("an owner corrects, credits, plans, hides, changes five at once, makes an editor and reads who did what", async ({
  page,
  browser,
}) => {
  const { word, ids } = await addDrafts(5);
  try {
    const colleague = await makeMember(browser);
    const owner = await signInAsNewStaff(page, "owner");
    await page.getByRole("navigation", { name: "Studio" }).getByRole("link", { name: "Items" }).click();
    await searchFor(page, word);
    await page.getByRole("link", { name: `${word} 1`, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${word} 1`);

    await untilScriptsRun(page);
    const text = sectionOf(page, "Title and description");
    await text.getByLabel("Title").fill(`${word} corrected`);
    await save(text);
    await expect(text.getByRole("status")).toHaveText("Title and description are saved.");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${word} corrected`);

    const credits = sectionOf(page, "Credits");
    await credits.getByRole("combobox", { name: "Creator 1" }).fill("Noor Sable");
    await save(credits);
    await expect(credits.getByRole("status")).toHaveText("The credits are saved.");
    await expect(page.getByText("No creator is credited.")).toHaveCount(0);
    const tags = sectionOf(page, "Tags");
    await tags.getByLabel("Add tags").fill("slow, dusk");
    await save(tags);
    await expect(tags.getByLabel("dusk")).toBeChecked();

    const state = sectionOf(page, "State");
    await state.getByLabel(/^Date and time/).fill(`${nextFriday()}T20:00`);
    await state.getByRole("button", { name: "Plan" }).click();
    await expect(state).toContainText(/It goes out on Friday, .*, 20:00/);

    await hideAndBringBack(page, ids[1] ?? "");
    await changeFiveAtOnce(page, word);

    await page.getByRole("navigation", { name: "Studio" }).getByRole("link", { name: "People" }).click();
    await untilScriptsRun(page);
    await page.getByLabel("Mail address").fill(colleague);
    await page.getByLabel("Role", { exact: true }).selectOption("editor");
    await page.getByRole("button", { name: "Give the role" }).click();
    await expect(page.getByText("The role is changed")).toBeVisible();

    await page.getByRole("navigation", { name: "Studio" }).getByRole("link", { name: "Audit log" }).click();
    const log = page.getByRole("main");
    await expect(log).toContainText(owner);
    await expect(log).toContainText(`made ${colleague} an editor`);
    await expect(log).toContainText("changed the access of 5 items to Members");
  } finally {
    await removeItems(ids);
  }
});

async function makeMember(browser: Browser): Promise<string> {
  const context = await browser.newContext();
  const email = await signInAsNewMember(await context.newPage());
  await context.close();
  return email;
}

async function hideAndBringBack(page: Page, id: string): Promise<void> {
  await page.goto(`/studio/media/${id}`);
  await untilScriptsRun(page);
  const state = sectionOf(page, "State");
  await state.getByRole("button", { name: "Publish now" }).click();
  await expect(state).toContainText("Public since");
  await state.getByRole("button", { name: "Hide" }).click();
  await expect(state).toContainText("Visitors find nothing at its address.");
  await page.getByRole("link", { name: "visitor", exact: true }).click();
  await expect(page.getByRole("main")).toContainText(/not found|does not exist|nothing/i);
  await page.goto(`/studio/media/${id}`);
  await untilScriptsRun(page);
  await state.getByRole("button", { name: "Bring it back" }).click();
  await expect(state).toContainText("Public since");
}

async function changeFiveAtOnce(page: Page, word: string): Promise<void> {
  await page.getByRole("navigation", { name: "Studio" }).getByRole("link", { name: "Items" }).click();
  await searchFor(page, word);
  const boxes = page.getByRole("checkbox");
  await expect(boxes).toHaveCount(5);
  for (const box of await boxes.all()) await box.check();
  await page.getByLabel("What to change").selectOption({ label: "Members" });
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "5 items would change" })).toBeVisible();
  await expect(page.getByText("Subscribers → Members")).toHaveCount(5);
  await page.getByRole("button", { name: "Change 5 items" }).click();
  await expect(page.getByText("5 items changed.")).toBeVisible();
}

test("two people who edit one title both keep what they wrote", async ({ page, browser, contextOptions }) => {
  const { word, ids } = await addDrafts(1);
  const others = await browser.newContext(contextOptions);
  const other = await others.newPage();
  try {
    await signInAsNewStaff(page, "editor", `/studio/media/${ids[0]}`);
    await signInAsNewStaff(other, "editor", `/studio/media/${ids[0]}`);
    for (const [tab, title] of [
      [other, `${word} by the other`],
      [page, `${word} by me`],
    ] as const) {
      await untilScriptsRun(tab);
      await sectionOf(tab, "Title and description").getByLabel("Title").fill(title);
      await save(sectionOf(tab, "Title and description"));
    }
    const text = sectionOf(page, "Title and description");
    await expect(page.getByRole("alert")).toContainText("Nothing was changed.");
    await expect(text).toContainText(`${word} by the other`);
    await expect(text.getByLabel("Title")).toHaveValue(`${word} by me`);
    await text.getByLabel("Take the other version").check();
    await save(text);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${word} by the other`);
  } finally {
    await others.close();
    await removeItems(ids);
  }
});

test("a refused section says why, with what was typed, and saves when it is corrected", async ({ page }) => {
  const { word, ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}`);
    await untilScriptsRun(page);
    const state = sectionOf(page, "State");
    await state.getByLabel(/^Date and time/).fill("2020-01-01T10:00");
    await state.getByRole("button", { name: "Plan" }).click();
    const summary = page.getByRole("alert");
    await expect(summary).toContainText("This date has passed");
    await expect(state.getByLabel(/^Date and time/)).toHaveValue("2020-01-01T10:00");
    const text = sectionOf(page, "Title and description");
    await text.getByLabel("Title").fill("\u2800");
    await text.getByLabel("Description").fill(`About **${word}**`);
    await save(text);
    await expect(summary).toContainText("needs a letter");
    await expect(text.getByLabel("Description")).toHaveValue(`About **${word}**`);
    await text.getByLabel("Title").fill(word);
    await text.getByRole("button", { name: "Preview" }).click();
    await expect(text.getByRole("region").locator("strong")).toHaveText(word);
    await save(text);
    await expect(text.getByRole("status")).toHaveText("Title and description are saved.");
  } finally {
    await removeItems(ids);
  }
});

function sectionOf(page: Page, name: string): Locator {
  return page.getByRole("region", { name, exact: true });
}

async function save(section: Locator): Promise<void> {
  await section.getByRole("button", { name: "Save", exact: true }).click();
}

async function searchFor(page: Page, word: string): Promise<void> {
  await page.getByRole("searchbox").fill(word);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/q=/);
}
