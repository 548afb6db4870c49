import { expect, type Page, test } from "@playwright/test";
import { unfoldFilters } from "../support/browser/lists.ts";
import { recordProblems } from "../support/browser/problems.ts";

const NEAR_PX = 60;

for (const list of ["/content/video?sort=title", "/content/photoSet?sort=oldest", "/creators?sort=newest"]) {
  test(`Back returns to the same position of ${list}`, async ({ page }) => {
    const problems = recordProblems(page);
    await page.goto(`/enter?next=${encodeURIComponent(list)}`);
    await page.getByRole("button", { name: /enter/i }).click();
    const card = page.getByRole("article").last().getByRole("heading").getByRole("link");
    await card.scrollIntoViewIfNeeded();
    await page.evaluate(() => window.scrollBy(0, 120));
    // A press that has to be tried again scrolls to another place first.
    await card.click({ trial: true });
    const left = await scrollOf(page);
    expect(left).toBeGreaterThan(150);

    await card.click();
    await expect(page).not.toHaveURL(new RegExp(`${escaped(list)}$`));
    await expect.poll(() => scrollOf(page)).toBe(0);
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`${escaped(list)}$`));
    await expect.poll(async () => Math.abs((await scrollOf(page)) - left)).toBeLessThan(NEAR_PX);
    expect(problems).toEqual([]);
  });
}

test("a filter is a step of its own: Back removes it", async ({ page }) => {
  await page.goto("/enter?next=/content/video");
  await page.getByRole("button", { name: /enter/i }).click();
  await unfoldFilters(page);
  await page.getByLabel("Sort by").selectOption("Title");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(/sort=title$/);
  // The new list resets the fields.
  await expect(page.locator("main summary")).toHaveText("Filter and sort (1)");
  await page.getByLabel("Search videos").fill("lamps");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/q=lamps/);
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.goBack();
  await expect(page).toHaveURL(/sort=title$/);
  await expect(page.getByLabel("Search videos")).toHaveValue("");
  await expect(page.getByRole("article")).toHaveCount(22);
});

function scrollOf(page: Page): Promise<number> {
  return page.evaluate(() => Math.round(window.scrollY));
}

function escaped(text: string): string {
  return text.replace(/[?.]/g, "\\$&");
}
