import { expect, test } from "@playwright/test";
import { whileMediaAreLocked } from "../support/browser/database.ts";
import { enter } from "../support/browser/people.ts";
import { recordProblems } from "../support/browser/problems.ts";

test("a missing page says so, names its error and causes no other error", async ({ page }) => {
  const problems = recordProblems(page);
  await page.goto("/nowhere");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await expect(page.getByText("Error id:")).toBeVisible();
  // Scripts would render the page again from data without the error id.
  await expect(page.locator("script")).toHaveCount(0);
  await page.waitForLoadState("networkidle");
  await expect(page.getByText("Error id:")).toBeVisible();
  expect(problems.filter((problem) => !problem.includes("404"))).toEqual([]);
  await page.getByRole("banner").getByRole("link").first().click();
  await expect(page).toHaveURL(/\/enter/);
});

test("following a link during an outage says the same as its page", async ({ page }) => {
  await enter(page);
  // The link is far enough below the screen not to be prefetched.
  await page.setViewportSize({ width: 390, height: 500 });
  await page.goto("/creators");
  await page.waitForLoadState("networkidle");
  const creator = page.getByRole("article").last().getByRole("heading").getByRole("link");
  const path = await creator.getAttribute("href");
  await whileMediaAreLocked(async () => {
    await creator.click();
    await expect(page).toHaveURL(path ?? "");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Back in a moment");
    await expect(page.getByText("Error id:")).toBeVisible();
    const words = await page.getByRole("main").getByRole("paragraph").first().textContent();
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Back in a moment");
    await expect(page.getByRole("main").getByRole("paragraph").first()).toHaveText(words ?? "");
  });
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Back in a moment", {
      timeout: 500,
    });
  }).toPass();
});
