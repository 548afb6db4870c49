import { expect, test } from "@playwright/test";
import { recordProblems } from "./problems.ts";

test("a page that does not exist says so, names its error and leaves nothing to complain of", async ({
  page,
}) => {
  const problems = recordProblems(page);
  await page.goto("/nowhere");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await expect(page.getByText("Error id:")).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(page.getByText("Error id:")).toBeVisible();
  expect(problems.filter((problem) => !problem.includes("404"))).toEqual([]);
  await page.getByRole("banner").getByRole("link").first().click();
  await expect(page).toHaveURL(/\/enter/);
});
