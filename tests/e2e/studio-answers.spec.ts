import { expect, type Locator, type Page, test } from "@playwright/test";
import { withDatabase } from "../support/browser/database.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { addDrafts, nextFriday, removeItems, signInAsNewStaff } from "../support/browser/studio.ts";

test.use({ viewport: { width: 390, height: 600 } });

const sectionOf = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
const scrolled = (page: Page) => page.evaluate(() => window.scrollY);

test("“Save and next draft” opens the next draft at its heading, and names the one that is saved", async ({
  page,
}) => {
  const { word, ids } = await addDrafts(2);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}/dates`);
    await untilScriptsRun(page);
    await page.getByRole("button", { name: "Save and next draft" }).click();
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toHaveText(`${word} 2`);
    await expect(heading).toBeFocused();
    expect(await scrolled(page)).toBe(0);
    await expect(sectionOf(page, "Dates").getByRole("status")).toHaveText(
      `The previous draft, “${word} 1”, is saved.`,
    );
    await page.getByRole("button", { name: "Save and next draft" }).click();
    await expect(heading).toHaveText("Items");
    await expect(page.getByText("There is no newer draft to continue with")).toBeInViewport();
  } finally {
    await removeItems(ids);
  }
});

test("an answer above the screen comes into view with the focus, and one in sight moves nothing", async ({
  page,
}) => {
  const { ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}/credits`);
    await untilScriptsRun(page);
    const credits = sectionOf(page, "Credits and tags");
    const status = credits.getByRole("status");
    await credits.getByRole("button", { name: "Save", exact: true }).click();
    await expect(status).toHaveText("Credits and tags are saved.");
    await expect(status).toBeFocused();
    await expect(status).toBeInViewport({ ratio: 1 });

    await page.setViewportSize({ width: 390, height: 3_000 });
    await credits.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("button", { name: "Saving …" })).toHaveCount(0);
    await page.waitForLoadState("networkidle");
    await expect(status).not.toBeFocused();

    await page.setViewportSize({ width: 390, height: 600 });
    await page.goto(`/studio/media/${ids[0]}`);
    await untilScriptsRun(page);
    const state = sectionOf(page, "Publication");
    await state.getByLabel(/^Date and time/).fill(`${nextFriday()}T20:00`);
    await state.getByLabel("Schedule it anyway").check();
    await state.getByRole("button", { name: "Schedule", exact: true }).click();
    await expect(state.getByRole("status")).toHaveText(/^It is scheduled for Friday, .*, 20:00 \(.+\)\.$/);
    await expect(state.getByRole("status")).toBeInViewport({ ratio: 1 });
  } finally {
    await removeItems(ids);
  }
});

test("the preview of a cover comes into view with its button", async ({ page }) => {
  const { ids } = await addDrafts(1);
  try {
    await signInAsNewStaff(page, "publisher", `/studio/media/${ids[0]}/cover`);
    await untilScriptsRun(page);
    const cover = sectionOf(page, "Cover");
    await cover.getByLabel("Photo 2").check();
    await cover.getByRole("button", { name: "Preview as cover" }).first().click();
    await expect(cover.getByRole("figure", { name: "New cover" })).toBeInViewport();
    await expect(cover.getByRole("button", { name: "Use the new cover" })).toBeInViewport();
  } finally {
    await removeItems(ids);
  }
});

test("a cover is previewed at the player’s time when none is typed", async ({ page }) => {
  const [video] = await withDatabase(
    (sql) =>
      sql<
        { id: string }[]
      >`SELECT id FROM media WHERE type = 'video' AND status = 'published' ORDER BY title LIMIT 1`,
  );
  await signInAsNewStaff(page, "publisher", `/studio/media/${video?.id}/cover`);
  await untilScriptsRun(page);
  const cover = sectionOf(page, "Cover");
  await cover.getByRole("button", { name: "Preview as cover" }).first().click();
  await expect(cover.getByRole("figure", { name: "New cover" })).toBeVisible();
  await expect(cover.getByLabel("A moment of the video")).toHaveValue(/^0:00/);
});
