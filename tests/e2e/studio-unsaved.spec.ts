import { expect, type Locator, type Page, test } from "@playwright/test";
import { withDatabase } from "../support/browser/database.ts";
import { codeInOutbox, letSignInGrowOld } from "../support/browser/people.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { addDrafts, removeItems, signInAsNewStaff } from "../support/browser/studio.ts";

const sectionOf = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
/** Stays on the page at each question, and returns their kinds. */
function dismissQuestions(page: Page): string[] {
  const questions: string[] = [];
  page.on("dialog", async (dialog) => {
    questions.push(dialog.type());
    await dialog.dismiss();
  });
  return questions;
}
const save = (section: Locator) => section.getByRole("button", { name: "Save", exact: true }).click();

test("a page with unsaved text asks before it is left, and not once it is saved", async ({ page }) => {
  const { word, ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}/text`);
    await untilScriptsRun(page);
    const questions: string[] = [];
    let leaves = false;
    page.on("dialog", async (dialog) => {
      questions.push(dialog.type());
      await (leaves ? dialog.accept() : dialog.dismiss());
    });
    const text = sectionOf(page, "Title and description");
    const description = text.getByLabel("Description");
    const items = page.getByRole("navigation", { name: "Studio" }).getByRole("link", { name: "Items" });
    await description.fill(`About ${word}`);
    await items.click();
    await expect.poll(() => questions).toEqual(["confirm"]);
    await expect(description).toHaveValue(`About ${word}`);
    await page.evaluate(() => location.reload());
    await expect.poll(() => questions).toEqual(["confirm", "beforeunload"]);
    await expect(description).toHaveValue(`About ${word}`);
    await save(text);
    await expect(text.getByRole("status")).toHaveText("Title and description are saved.");
    await items.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Items");
    await page.goBack();
    await description.fill("Not this");
    leaves = true;
    await items.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Items");
    expect(questions).toEqual(["confirm", "beforeunload", "confirm"]);
  } finally {
    await removeItems(ids);
  }
});

test("a typed reason asks before the page is left; typed search words and a refused empty form do not", async ({
  page,
}) => {
  const { ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}`);
    await untilScriptsRun(page);
    const questions = dismissQuestions(page);
    const heading = page.getByRole("heading", { level: 1 });
    const items = page.getByRole("navigation", { name: "Studio" }).getByRole("link", { name: "Items" });
    await page.goto(`/studio/media/${ids[0]}/credits`);
    await untilScriptsRun(page);
    await page.getByLabel("Find another item").fill("Nothing has this name");
    await items.click();
    await expect(heading).toHaveText("Items");
    await page.goto(`/studio/media/${ids[0]}`);
    await untilScriptsRun(page);
    const state = sectionOf(page, "Publication");
    // Nothing was typed.
    await state.getByRole("button", { name: "Schedule", exact: true }).click();
    await expect(page.getByRole("alert")).toContainText("Please choose a date and a time.");
    await items.click();
    await expect(heading).toHaveText("Items");
    expect(questions).toEqual([]);
    await page.goto(`/studio/media/${ids[0]}`);
    await untilScriptsRun(page);
    await state.getByText("Take it down …").click();
    await state.getByLabel("Reason").fill("A complaint");
    await items.click();
    await expect.poll(() => questions).toEqual(["confirm"]);
    await state.getByRole("button", { name: "Take it down" }).click();
    await expect(state.getByRole("button", { name: "Bring it back" })).toBeVisible();
    await items.click();
    await expect(heading).toHaveText("Items");
    expect(questions).toEqual(["confirm"]);
  } finally {
    await removeItems(ids);
  }
});

test("a second refusal keeps what was typed when the page loads something else afterwards", async ({
  page,
}) => {
  const { word, ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}/text`);
    await untilScriptsRun(page);
    const text = sectionOf(page, "Title and description");
    await text.getByLabel("Title").fill(`${word} saved`);
    await save(text);
    await expect(text.getByRole("status")).toHaveText("Title and description are saved.");
    await text.getByLabel("Description").fill(`About ${word}`);
    await text.getByLabel("Title").fill("\u2800");
    await save(text);
    await expect(text.getByRole("alert")).toContainText("needs at least one visible letter");
    await expect(text.getByLabel("Title")).toBeFocused();
    // As a live update does.
    await page.evaluate(() => Reflect.get(window, "__remixRouter").revalidate());
    await page.waitForLoadState("networkidle");
    await expect(text.getByLabel("Description")).toHaveValue(`About ${word}`);
    await expect(text.getByRole("alert")).toContainText("needs at least one visible letter");
    await expect(text.getByRole("status")).toHaveText("");
  } finally {
    await removeItems(ids);
  }
});

test("an item that was found for the shoot stays chosen when the form is refused", async ({ page }) => {
  const { word, ids } = await addDrafts(2);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}/credits`);
    await untilScriptsRun(page);
    const credits = sectionOf(page, "Credits and tags");
    await credits.getByLabel("Find another item").fill(`${word} 2`);
    await credits.getByRole("button", { name: "Find" }).click();
    await credits.getByLabel(`Same shoot as ${word} 2`).check();
    await credits.getByLabel("Add tags").fill("x".repeat(101));
    await save(credits);
    await expect(credits.getByRole("alert")).toContainText("too long");
    await expect(credits.getByLabel(/^Same shoot as/)).toBeChecked();
    await credits.getByLabel("Add tags").fill("dusk");
    await save(credits);
    await expect(credits.getByRole("status")).toHaveText("Credits and tags are saved.");
    await expect(credits.getByLabel(/Keep it in the same shoot/)).toBeChecked();
  } finally {
    await removeItems(ids);
  }
});

test("a time that a button fills in counts as typed", async ({ page }) => {
  const [video] = await withDatabase(
    (sql) =>
      sql<
        { id: string }[]
      >`SELECT id FROM media WHERE type = 'video' AND status = 'published' ORDER BY title LIMIT 1`,
  );
  await signInAsNewStaff(page, "publisher", `/studio/media/${video?.id}/chapters`);
  await untilScriptsRun(page);
  const questions = dismissQuestions(page);
  const chapters = sectionOf(page, "Chapters");
  await chapters.getByRole("button", { name: "Add a row" }).click();
  await chapters.getByRole("button", { name: "Use the player’s time" }).click();
  await expect(chapters.getByText("Not saved yet")).toBeVisible();
  await page.getByRole("navigation", { name: "Studio" }).getByRole("link", { name: "Items" }).click();
  await expect.poll(() => questions).toEqual(["confirm"]);
});

test("another page of photos asks about texts that are not saved, and not without any", async ({ page }) => {
  const { ids } = await addDrafts(1);
  try {
    await withDatabase(async (sql) => {
      await sql`INSERT INTO photos (media_id, number, position, alt, width, height, widest, color, source_hash)
        SELECT media_id, more, more, '', width, height, widest, color, more::text
        FROM (SELECT * FROM photos WHERE media_id = ${ids[0] ?? ""} LIMIT 1) one, generate_series(100, 130) more`;
      await sql`UPDATE media SET photo_count = photo_count + 31 WHERE id = ${ids[0] ?? ""}`;
    });
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}/photos`);
    await untilScriptsRun(page);
    const questions = dismissQuestions(page);
    const photos = sectionOf(page, "Photos");
    await photos.getByRole("link", { name: "Next photos" }).click();
    await expect(page).toHaveURL(/photos=2/);
    expect(questions).toEqual([]);
    await expect(photos.getByRole("link", { name: "Previous photos" })).toBeVisible();
    await photos
      .getByLabel(/alternative text$/)
      .first()
      .fill("A text");
    await photos.getByRole("link", { name: "Previous photos" }).click();
    await expect.poll(() => questions).toEqual(["confirm"]);
    await expect(page).toHaveURL(/photos=2/);
  } finally {
    await removeItems(ids);
  }
});

test("typed text stays on its page when another tab signs out", async ({ page, context }) => {
  const { word, ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}/text`);
    await untilScriptsRun(page);
    const text = sectionOf(page, "Title and description");
    await text.getByLabel("Description").fill(`About ${word}`);
    const other = await context.newPage();
    await other.goto("/about");
    await untilScriptsRun(other);
    await other.locator("form[action='/signout']").evaluate((form: HTMLFormElement) => form.requestSubmit());
    await expect(other.getByText("You are signed out.")).toBeVisible();
    await expect(text.getByRole("alert")).toContainText("Your changes are still here");
    const posts: string[] = [];
    page.on("request", (request) => void (request.method() === "POST" && posts.push(request.url())));
    await save(text);
    await page.waitForLoadState("networkidle");
    expect(posts.filter((url) => url.includes("/studio/"))).toEqual([]);
    await expect(text.getByLabel("Description")).toHaveValue(`About ${word}`);
    await expect(page).toHaveURL(/\/studio\/media\//);
  } finally {
    await removeItems(ids);
  }
});

test("a typed reason stays when another form of the page makes a link and revokes it", async ({ page }) => {
  const { ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}`);
    await untilScriptsRun(page);
    const state = sectionOf(page, "Publication");
    const links = sectionOf(page, "Draft links");
    await state.getByText("Take it down …").click();
    await state.getByLabel("Reason").fill("A complaint");
    await links.getByRole("button", { name: "Create a draft link" }).click();
    await expect(links.getByLabel("The new link")).toHaveValue(/\/draft\//);
    await expect(state.getByLabel("Reason")).toHaveValue("A complaint");
    await links.getByRole("button", { name: /^Revoke/ }).click();
    await expect(links.getByRole("status").first()).toContainText("The draft link is revoked.");
    await expect(state.getByLabel("Reason")).toHaveValue("A complaint");
  } finally {
    await removeItems(ids);
  }
});

test("a custodian is reset with a code, and the fields stay empty from the first press", async ({
  page,
  context,
}) => {
  const custodian = { custodianName: "J. Doe", custodianAddress: "1 Main St.", custodianSince: "2026-01-31" };
  try {
    await withDatabase(async (sql) => {
      for (const [name, value] of Object.entries(custodian)) {
        await sql`INSERT INTO site_settings (name, value) VALUES (${`site.${name}`}, ${sql.json(value)})`;
      }
    });
    const email = await signInAsNewStaff(page, "owner", "/studio/settings/custodian");
    await untilScriptsRun(page);
    const section = sectionOf(page, "Custodian of records");
    const name = section.getByLabel("Custodian’s name");
    await expect(name).toHaveValue("J. Doe");
    await name.fill("Somebody else");
    await letSignInGrowOld(email, "2 hours");
    await section.getByRole("button", { name: "Reset to default" }).click();
    await expect(section.getByLabel("Code")).toBeFocused();
    await expect(name).toHaveValue("");
    const outbox = await context.newPage();
    await expect(async () => {
      await outbox.goto("/outbox");
      await expect(outbox.getByRole("article").filter({ hasText: `To ${email}` })).toHaveCount(2);
    }).toPass();
    await section.getByLabel("Code").fill(await codeInOutbox(outbox, email));
    await save(section);
    await expect(section.getByRole("status").first()).toContainText("The custodian of records is saved.");
    await expect(name).toHaveValue("");
    await page.reload();
    await expect(name).toHaveValue("");
  } finally {
    await withDatabase((sql) => sql`DELETE FROM site_settings WHERE name LIKE 'site.custodian%'`);
  }
});

test("the anchors of sections that were on the overview lead to their parts", async ({ page }) => {
  const { ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "editor");
    await page.goto(`/studio/media/${ids[0]}#tags`);
    await expect(page).toHaveURL(/\/credits$/);
    await expect(page.getByLabel("Add tags")).toBeVisible();
    await page.goto(`/studio/media/${ids[0]}?photos=1#leftOut`);
    await expect(page).toHaveURL(/\/photos\?photos=1$/);
    await expect(sectionOf(page, "Photos")).toBeVisible();
  } finally {
    await removeItems(ids);
  }
});
