import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { enter, signInAsNewMember } from "../support/browser/people.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
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

    await openPart(page, "Text");
    const text = textOf(page);
    await text.getByLabel("Title").fill(`${word} corrected`);
    await save(text);
    await expect(text.getByRole("status")).toHaveText("Title and description are saved.");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${word} corrected`);

    await page.getByRole("link", { name: "No creator is credited." }).click();
    await untilScriptsRun(page);
    const credits = sectionOf(page, "Credits and tags");
    await credits.getByRole("combobox", { name: "Creator 1" }).fill("Noor Sable");
    await credits.getByLabel("Add tags").fill("slow, dusk");
    await save(credits);
    await expect(credits.getByRole("status")).toContainText("Credits and tags are saved.");
    await expect(page.getByText("No creator is credited.")).toHaveCount(0);
    await expect(credits.getByLabel("dusk")).toBeChecked();

    await openPart(page, "Overview");
    const state = sectionOf(page, "Publication");
    await state.getByLabel(/^Date and time/).fill(`${nextFriday()}T20:00`);
    await state.getByLabel("Schedule it anyway").check();
    await state.getByRole("button", { name: "Schedule", exact: true }).click();
    await expect(state).toContainText(/It will be published on Friday, .*, 20:00/);

    await hideAndBringBack(page, browser, ids[1] ?? "");
    await changeFiveAtOnce(page, word);

    await page.getByRole("navigation", { name: "Studio" }).getByRole("link", { name: "Staff" }).click();
    await untilScriptsRun(page);
    await page.getByLabel("Email address").fill(colleague);
    await page.getByLabel("Role", { exact: true }).selectOption("editor");
    await page.getByRole("button", { name: "Save", exact: true }).last().click();
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

async function hideAndBringBack(page: Page, browser: Browser, id: string): Promise<void> {
  await page.goto(`/studio/media/${id}`);
  await untilScriptsRun(page);
  const state = sectionOf(page, "Publication");
  await expect(state).toContainText("No creator is credited. The production date is missing.");
  await state.getByLabel("Publish it anyway").check();
  await state.getByRole("button", { name: "Publish now" }).click();
  await expect(state).toContainText("Public since");
  await state.getByRole("button", { name: "Hide" }).click();
  await expect(state).toContainText("Visitors get a “Not found” page at its address.");
  const asVisitor = await page.getByRole("link", { name: "visitor", exact: true }).getAttribute("href");
  const [address = ""] = asVisitor?.split("?") ?? [];
  expect(await statusForVisitor(browser, address)).toBe(404);
  await state.getByRole("button", { name: "Bring it back" }).click();
  await expect(state).toContainText("Public since");
  // Each web process may remember for a second that visitors find nothing: decision 101.
  await expect.poll(() => statusForVisitor(browser, address)).toBe(200);
}

/** A visitor past the age gate: the staff (`?as=`) would see the item as if it were published. */
async function statusForVisitor(browser: Browser, address: string): Promise<number | undefined> {
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await enter(visitor);
  const answer = await visitor.goto(address);
  await context.close();
  return answer?.status();
}

async function changeFiveAtOnce(page: Page, word: string): Promise<void> {
  await page.getByRole("navigation", { name: "Studio" }).getByRole("link", { name: "Items" }).click();
  await searchFor(page, word);
  const boxes = page.getByRole("checkbox");
  await expect(boxes).toHaveCount(5);
  for (const box of await boxes.all()) await box.check();
  await changeField(page).selectOption({ label: "Members" });
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
    await signInAsNewStaff(page, "editor", `/studio/media/${ids[0]}/text`);
    const colleague = await signInAsNewStaff(other, "editor", `/studio/media/${ids[0]}/text`);
    for (const [tab, title] of [
      [other, `${word} by the other`],
      [page, `${word} by me`],
    ] as const) {
      await untilScriptsRun(tab);
      await textOf(tab).getByLabel("Title").fill(title);
      await save(textOf(tab));
    }
    await expect(textOf(page).getByRole("alert")).toContainText(colleague);
    await expect(textOf(page).getByRole("alert")).toContainText(`${word} by the other`);
    await expect(textOf(page).getByLabel("Title")).toHaveValue(`${word} by me`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${word} by the other`);
    await textOf(page).getByRole("button", { name: "Save mine" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${word} by me`);
    await expect(textOf(page).getByRole("status")).toHaveText("Title and description are saved.");
  } finally {
    await others.close();
    await removeItems(ids);
  }
});

test("a refused section says why, with what was typed, and saves when it is corrected", async ({
  page,
  javaScriptEnabled,
}) => {
  const { word, ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}`);
    await untilScriptsRun(page);
    const state = sectionOf(page, "Publication");
    await state.getByLabel(/^Date and time/).fill("2020-01-01T10:00");
    await state.getByRole("button", { name: "Schedule", exact: true }).click();
    const summary = page.getByRole("alert");
    await expect(summary).toContainText("This date has passed");
    if (javaScriptEnabled !== false) {
      await expect(state.getByLabel(/^Date and time/)).toBeFocused();
      await expect(state.getByLabel(/^Date and time/)).toBeInViewport();
    }
    await expect(state.getByLabel(/^Date and time/)).toHaveValue("2020-01-01T10:00");

    await page.goto(`/studio/media/${ids[0]}/text`);
    await untilScriptsRun(page);
    const text = textOf(page);
    await text.getByLabel("Title").fill("\u2800");
    await text.getByLabel("Description").fill(`About **${word}**`);
    await save(text);
    await expect(summary).toContainText("needs at least one visible letter");
    if (javaScriptEnabled !== false) await expect(text.getByLabel("Title")).toBeFocused();
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

test("what is typed while a refused page still loads its data is kept, and saved", async ({ page }) => {
  const { word, ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}/text`);
    await untilScriptsRun(page);
    await page.route("**/*.data*", async (route) => {
      if (route.request().method() === "GET") await new Promise((resolve) => setTimeout(resolve, 1500));
      await route.continue();
    });
    const text = textOf(page);
    await text.getByLabel("Title").fill("\u2800");
    await save(text);
    await expect(page.getByRole("alert")).toContainText("needs at least one visible letter");
    await text.getByLabel("Title").fill(`${word} typed early`);
    await expect(page.getByRole("button", { name: "Saving …" })).toHaveCount(0);
    await page.waitForLoadState("networkidle");
    await expect(text.getByLabel("Title")).toHaveValue(`${word} typed early`);
    await save(text);
    await expect(text.getByRole("status")).toHaveText("Title and description are saved.");
    await expect(text.getByLabel("Title")).toHaveValue(`${word} typed early`);
  } finally {
    await removeItems(ids);
  }
});

test("the list and the page of an item work by keyboard alone", async ({ page, javaScriptEnabled }) => {
  const { word, ids } = await addDrafts(3);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media?q=${word}`);
    await untilScriptsRun(page);
    for (const index of [0, 1]) {
      const box = page.getByRole("checkbox").nth(index);
      await tabTo(page, box);
      await page.keyboard.press("Space");
      await expect(box).toBeChecked();
    }
    const selected = page.getByText(/items? selected/);
    await expect(selected).toHaveText(javaScriptEnabled === false ? [] : ["2 items selected"]);
    // The bar is in sight now, and hides no row that has the focus.
    await tabTo(page, page.getByRole("checkbox").nth(2));
    await tabTo(page, page.getByRole("link", { name: new RegExp(`^${word}`) }).last());
    await tabTo(page, changeField(page));
    await page.keyboard.type("Members");
    await expect(changeField(page)).toHaveValue("access:member");
    const go = javaScriptEnabled === false ? "Continue" : "Continue with 2 items";
    await pressButton(page, page.getByRole("button", { name: go, exact: true }));
    await expect(page.getByRole("heading", { name: "2 items would change" })).toBeVisible();
    await pressButton(page, page.getByRole("button", { name: "Change 2 items" }));
    await expect(page.getByText("2 items changed.")).toBeVisible();

    await page.goto(`/studio/media/${ids[0]}/text`);
    await untilScriptsRun(page);
    const text = textOf(page);
    await typeInto(page, text.getByLabel("Title"), `${word} by keyboard`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${word} by keyboard`);
    await typeInto(page, text.getByLabel("Title"), "\u2800");
    await expect(page.getByRole("alert")).toContainText("needs at least one visible letter");
    if (javaScriptEnabled !== false) await expect(text.getByLabel("Title")).toBeFocused();

    await page.goto(`/studio/media/${ids[0]}/credits`);
    await untilScriptsRun(page);
    const credits = sectionOf(page, "Credits and tags");
    await tabTo(page, credits.getByRole("combobox", { name: "Creator 1" }));
    await page.keyboard.type("Noor Sable");
    const second = credits.getByRole("combobox", { name: "Creator 2" });
    if (javaScriptEnabled !== false) {
      await pressButton(page, credits.getByRole("button", { name: "Add a row" }).first());
      await expect(second).toBeFocused();
    }
    await pressButton(page, credits.getByRole("button", { name: "Save", exact: true }));
    await expect(credits.getByRole("status")).toHaveText("Credits and tags are saved.");
    await expect(second).toBeVisible();
  } finally {
    await removeItems(ids);
  }
});

/** Presses Tab until the element has the focus, and expects that nothing covers it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const hasFocus = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < MAX_PRESSES && !(await hasFocus()); presses += 1) {
    await page.keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
  const isCovered = () =>
    target.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return hit === null || !(element.contains(hit) || hit.contains(element));
    });
  await expect.poll(isCovered).toBe(false);
}

/** More than twice the stops of the longest page. */
const MAX_PRESSES = 300;

async function pressButton(page: Page, button: Locator): Promise<void> {
  await tabTo(page, button);
  await page.keyboard.press("Enter");
}

/** Replaces the text of a field, and sends its form from there. */
async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Enter");
}

function changeField(page: Page): Locator {
  return page.getByRole("combobox", { name: "Change", exact: true });
}

const textOf = (page: Page): Locator => sectionOf(page, "Title and description");

function sectionOf(page: Page, name: string): Locator {
  return page.getByRole("region", { name, exact: true });
}

/** A phone lists the parts on the overview. */
async function openPart(page: Page, name: string): Promise<void> {
  const back = page.getByRole("link", { name: "All parts of this item" });
  if (await back.isVisible()) await back.click();
  const parts = page.getByRole("navigation", { name: "Parts" });
  await parts.getByRole("link", { name: new RegExp(`^${name}`) }).click();
  await expect(page).toHaveURL(name === "Overview" ? ITEM : new RegExp(`/${name.toLowerCase()}$`));
  await untilScriptsRun(page);
}

const ITEM = /\/studio\/media\/[^/?]+$/;

async function save(section: Locator): Promise<void> {
  await section.getByRole("button", { name: "Save", exact: true }).click();
}

async function searchFor(page: Page, word: string): Promise<void> {
  await page.getByRole("searchbox").fill(word);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/q=/);
}
