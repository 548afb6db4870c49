import { expect, type Page, test } from "@playwright/test";
import { findViolations } from "../support/browser/accessibility.ts";
import { signInAsNewSubscriber } from "../support/browser/people.ts";
import { recordProblems } from "../support/browser/problems.ts";
import { storedProgress } from "../support/browser/progress.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";

const TOO_LONG = "Please use at most 80 characters.";

test("a profile is refused beside the field, corrected and saved on one page", async ({
  page,
  javaScriptEnabled,
}) => {
  await signInAsNewSubscriber(page, "/user/account");
  await untilScriptsRun(page);
  const problems = recordProblems(page);
  const city = page.getByLabel("City");
  await allowAnyLength(page, "City");
  await page.getByLabel("Name").fill("Ada Marlowe");
  await city.fill("x".repeat(81));
  await page.getByRole("button", { name: "Save profile" }).click();

  await expect(page.getByRole("alert")).toContainText(`City: ${TOO_LONG}`);
  await expect(city).toHaveAccessibleDescription(TOO_LONG);
  await expect(city).toHaveAttribute("aria-invalid", "true");
  await expect(city).toHaveValue("x".repeat(81));
  await expect(page.getByLabel("Name")).toHaveValue("Ada Marlowe");
  if (javaScriptEnabled) {
    await expect(city).toBeFocused();
    expect(await findViolations(page)).toEqual([]);
  } else {
    await page.getByRole("alert").getByRole("link").click();
    await expect(page).toHaveURL(/#profile-form-city$/);
  }

  await city.fill("  Porto ");
  await page.getByLabel("Country").selectOption("Portugal");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your profile is saved." })).toBeInViewport();
  await expect(page.getByText(TOO_LONG)).toHaveCount(0);
  await expect(city).toHaveValue("Porto");
  await page.reload();
  await expect(city).toHaveValue("Porto");
  await expect(page.getByLabel("Country")).toHaveValue("PT");
  expect(problems.filter((problem) => !problem.includes("422"))).toEqual([]);
});

test("a picture is required, uploaded and removed, and deleting the account asks twice and drops unsent progress", async ({
  page,
  javaScriptEnabled,
}) => {
  await signInAsNewSubscriber(page, "/user/account");
  await untilScriptsRun(page);
  await page.getByRole("button", { name: "Upload picture" }).click();
  await expect(page.getByLabel("Picture file")).toHaveAccessibleDescription(
    /^Please choose a picture file first\./,
  );
  await page.getByLabel("Picture file").setInputFiles("public/og.png");
  await page.getByRole("button", { name: "Upload picture" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your picture is saved." })).toBeInViewport();
  await expect(page.getByRole("img", { name: "Your picture" })).toBeVisible();
  await expect(page.getByLabel("Another picture")).toHaveValue("");
  await page.getByRole("button", { name: "Remove picture" }).click();
  await expect(page.getByText("Your picture has been removed.")).toBeVisible();

  await page.evaluate(() => sessionStorage.setItem("progress:someone:other", "{}"));
  await page.getByRole("button", { name: "Delete my account" }).click();
  const confirmation = page.getByRole("checkbox", { name: /^Yes, delete my account/ });
  await expect(confirmation).toHaveAccessibleDescription(/^Please tick the box/);
  expect(await storedProgress(page)).toBe(1);
  await confirmation.check();
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in / Sign Up" })).toBeAttached();
  expect(await storedProgress(page)).toBe(javaScriptEnabled === false ? 1 : 0);
});

test("a mistyped address and a wrong code are reported on their own pages", async ({ page }) => {
  await page.clock.install();
  await page.goto("/enter?next=/signin");
  await page.getByRole("button", { name: /enter/i }).click();
  const address = page.getByLabel("Email address");
  await address.fill("ada at example.com");
  await page.getByRole("button", { name: "Send me a link" }).click();
  await expect(address).toHaveAccessibleDescription(/^Please type one complete email address/);
  await expect(address).toHaveValue("ada at example.com");
  await address.fill(`ada-${Date.now()}@example.com`);
  await page.getByRole("button", { name: "Send me a link" }).click();
  await page.getByLabel("Code").fill("WRONG");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByLabel("Code")).toHaveAccessibleDescription(/^That is not the code we sent\./);
  await expect(page.getByLabel("Code")).toHaveValue("WRONG");
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.clock.fastForward(60_000);
  await expect(page.getByLabel("Code")).toHaveAccessibleDescription(/^That is not the code we sent\./);
  expect(requested.filter((url) => url.includes("/signin/code"))).toEqual([]);
});

/** Simulates a page that was opened before the limit was introduced. */
async function allowAnyLength(page: Page, label: string): Promise<void> {
  await page.getByLabel(label).evaluate((field) => field.removeAttribute("maxlength"));
}
