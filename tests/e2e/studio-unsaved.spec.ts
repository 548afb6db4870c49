import { expect, type Locator, type Page, test } from "@playwright/test";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { addDrafts, removeItems, signInAsNewStaff } from "../support/browser/studio.ts";

const sectionOf = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
const save = (section: Locator) => section.getByRole("button", { name: "Save", exact: true }).click();

test("a page with something typed asks before it is left, and not once it is saved", async ({ page }) => {
  const { word, ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}`);
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

test("what is typed stays on its page when another tab signs out", async ({ page, context }) => {
  const { word, ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}`);
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
