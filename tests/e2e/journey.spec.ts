import { expect, type Page, test } from "@playwright/test";
import { unfoldFilters } from "../support/browser/lists.ts";
import { addSubscriber, finishSigningIn } from "../support/browser/people.ts";
import { recordProblems } from "../support/browser/problems.ts";
import { play, savedProgress } from "../support/browser/progress.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";

/** The demo has 24 videos; one is scheduled and one taken down. */
const VIDEOS = 22;

for (const mode of ["light", "dark"] as const) {
  test(`a newcomer browses, signs in, watches, comes back and leaves, in ${mode} mode`, async ({
    page,
    context,
    javaScriptEnabled,
  }) => {
    const problems = recordProblems(page);
    const looksRight = () => expectSettled(page, mode);

    await page.goto("/content/video?sort=title");
    await expect(page).toHaveURL(/\/enter\?next=/);
    await page.getByRole("button", { name: /enter/i }).click();
    await expect(page).toHaveURL(/\/content\/video\?sort=title$/);
    if (mode === "dark") await page.getByRole("banner").getByRole("button", { name: "Dark mode" }).click();
    await looksRight();
    await expect(page.getByRole("article")).toHaveCount(VIDEOS);

    await unfoldFilters(page);
    await page.getByLabel("Access").selectOption("With a subscription");
    await page.getByRole("button", { name: "Show" }).click();
    await expect(page).toHaveURL(/access=subscriber/);
    await expect(page.getByLabel("Sort by")).toHaveValue("title");
    await expect.poll(() => page.getByRole("article").count()).toBeLessThan(VIDEOS);

    const title = await openFirst(page);
    await expect(page.locator("video")).toHaveCount(0);
    await looksRight();
    await page.locator("main").getByRole("link", { name: "Sign in", exact: true }).click();
    await finishSigningIn(page, await addSubscriber());
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    const source = await page.locator("video source").first().getAttribute("src");
    expect((await context.request.get(source ?? "")).status()).toBe(200);

    await (javaScriptEnabled ? watch(page) : saveByHand(page));
    await page
      .locator("main")
      .getByRole("button", { name: /^Favorite/ })
      .first()
      .click();
    await expect(
      page
        .locator("main")
        .getByRole("button", { name: /^Favorite/ })
        .first(),
    ).toHaveAttribute("aria-pressed", "true");
    await looksRight();

    await page.getByRole("banner").getByRole("link").first().click();
    await expect(page.getByRole("heading", { name: "Continue" })).toBeVisible();
    await looksRight();
    await page.getByRole("link", { name: `Resume ${title}` }).click();
    await expect(page.locator("video source").first()).toHaveAttribute("src", /#t=[1-9]/);

    await fromMenu(page, "link", "Favorites");
    await expect(page).toHaveURL(/\/user\/favorites$/);
    await expect(page.getByRole("article")).toHaveCount(1);
    await expect(page.getByRole("article")).toContainText(title);
    await looksRight();

    await fromMenu(page, "button", "Sign out");
    await expect(page).toHaveURL(/\/signin/);
    await looksRight();
    expect(problems).toEqual([]);
    // Like a browser, it tries again on a connection that the site has closed after seconds without a request.
    const closed = await context.request.get(source ?? "", { maxRetries: 1 });
    expect(closed.status()).toBe(403);
    await page.goto("/user/favorites");
    await expect(page).toHaveURL(/\/signin\?next=/);
  });
}

test("a photo set is turned page by page, and Continue knows the photo", async ({
  page,
  javaScriptEnabled,
}) => {
  const problems = recordProblems(page);
  await page.goto("/signin?next=/content/photoSet");
  await finishSigningIn(page, await addSubscriber());
  await page.getByRole("button", { name: /enter/i }).click();
  const title = await openFirst(page);
  // With scripts a click opens the viewer: tests/e2e/looking.slow.spec.ts.
  await page.goto(
    (await page.locator("ol a[href*='/content/photoSet/']").first().getAttribute("href")) ?? "",
  );
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toContainText(/1 of \d+/);
  await untilScriptsRun(page);
  const turn = async (way: "Next" | "Previous", to: number) => {
    const saved = javaScriptEnabled ? savedProgress(page, (progress) => progress === to) : null;
    await page.getByRole("link", { name: way }).click();
    await expect(heading).toContainText(new RegExp(`${to} of \\d+`));
    await saved;
  };
  await turn("Next", 2);
  await turn("Next", 3);
  await turn("Previous", 2);
  await expectSettled(page, "light");
  await page.goto("/");
  await expect(page.getByRole("link", { name: `Resume ${title}` })).toHaveAttribute("href", /\/2$/);
  expect(problems).toEqual([]);
});

async function openFirst(page: Page): Promise<string> {
  const link = page.getByRole("article").first().getByRole("heading").getByRole("link");
  const title = (await link.textContent()) ?? "";
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(title);
  return title;
}

async function watch(page: Page): Promise<void> {
  await play(page);
  const saved = savedProgress(page, (progress) => progress > 1);
  await page.keyboard.press("5");
  await page.keyboard.press("k");
  expect(await saved).toBeGreaterThan(1);
}

async function saveByHand(page: Page): Promise<void> {
  await page.getByLabel("I stopped at").fill("0:04");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("You stopped at 0:04")).toBeVisible();
}

async function fromMenu(page: Page, role: "link" | "button", name: string): Promise<void> {
  await page.locator("summary", { hasText: "Your menu" }).click();
  await page.getByRole("banner").getByRole(role, { name, exact: true }).click();
}

/**
 * Checks the mode, that nothing overflows the window's width, and, with scripts, that the page no longer waits for
 * them.
 */
async function expectSettled(page: Page, mode: "light" | "dark"): Promise<void> {
  await untilScriptsRun(page);
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", mode);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
}
