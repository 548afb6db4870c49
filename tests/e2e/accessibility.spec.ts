import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { listPagesWithout } from "./pages.ts";
import { askForCode, linkInOutbox, signInAsNewSubscriber } from "./people.ts";

const GATE = ["/enter", "/enter?left=1"];
/** As they are for whoever is signed out and past the gate. */
const OPEN = [
  "/",
  "/creators",
  "/creators?q=nobody-at-all",
  "/content/video",
  "/content/video?q=nothing-at-all",
  "/content/photoSet",
  "/subscribe",
  "/signin",
  "/signin/verify?token=wrong",
  "/outbox",
  "/privacy",
  "/terms",
  "/about",
  "/2257",
  "/nowhere",
];
const OWN = ["/", "/content/video", "/subscribe", "/user/account", "/user/favorites", "/user/history"];

for (const { mode, width } of [
  { mode: "light", width: 1280 },
  { mode: "dark", width: 390 },
] as const) {
  test(`every page is free of accessibility violations in ${mode} mode, signed out`, async ({ page }) => {
    test.setTimeout(240_000);
    await page.setViewportSize({ width, height: 844 });
    await page.goto("/enter");
    if (mode === "dark") await darken(page);
    for (const path of GATE) await expectNoViolationsAt(page, mode, path);
    await enter(page);
    const paths = [...OPEN, ...(await listWorks(page))];
    for (const path of paths) await expectNoViolationsAt(page, mode, path);
    await askForCode(page);
    await expectNoViolations(page, mode, "/signin/code");
    await page.goto(await linkInOutbox(page));
    await expect(page.getByRole("main").getByRole("button", { name: "Sign in" })).toBeVisible();
    await expectNoViolations(page, mode, "/signin/verify with a good link");
  });

  test(`every page is free of accessibility violations in ${mode} mode, signed in`, async ({ page }) => {
    test.setTimeout(240_000);
    await page.setViewportSize({ width, height: 844 });
    await signInAsNewSubscriber(page);
    if (mode === "dark") await darken(page);
    const film = await firstLink(page, "/content/video");
    const set = await firstLink(page, "/content/photoSet");
    for (const path of [...OWN, film, set, `${set}/2`]) await expectNoViolationsAt(page, mode, path);
    // Now with something in them.
    await page.goto(film);
    await page
      .getByRole("button", { name: /^Favorite/ })
      .first()
      .click();
    await expect(page.getByRole("button", { name: /^Favorite/ }).first()).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    const saved = page.waitForResponse((response) => response.url().endsWith("/api/views"));
    await page.goto(`${set}/1`);
    await page.getByRole("link", { name: "Next" }).click();
    await saved;
    for (const route of ["/", "/user/favorites", "/user/history", set]) {
      await page.goto(route);
      await expectNoViolations(page, mode, `${route}, not empty`);
    }
    await page.locator("summary", { hasText: "Your menu" }).click();
    await expectNoViolations(page, mode, "the open account menu");
  });
}

test("every page of the site is among those that are checked", async ({ page }) => {
  await enter(page);
  const paths = [...GATE, ...OPEN, ...(await listWorks(page)), "/signin/code", ...OWN];
  expect(await listPagesWithout(paths)).toEqual([]);
});

async function enter(page: Page): Promise<void> {
  await page.goto("/enter");
  await page.getByRole("button", { name: /enter/i }).click();
  await expect(page).toHaveURL(/\/$/);
}

async function expectNoViolationsAt(page: Page, mode: "light" | "dark", path: string): Promise<void> {
  await page.goto(path);
  // What redirects is not the page that was meant.
  expect.soft(new URL(page.url()).pathname).toBe(path.replace(/\?.*/, ""));
  await expectNoViolations(page, mode, path);
}

async function expectNoViolations(page: Page, mode: "light" | "dark", what: string): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", mode);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  expect.soft(found, `${what} in ${mode}`).toEqual([]);
}

async function firstLink(page: Page, list: string): Promise<string> {
  await page.goto(list);
  return (
    (await page.getByRole("article").first().getByRole("heading").getByRole("link").getAttribute("href")) ??
    ""
  );
}

/** A creator, and the works that are locked. */
async function listWorks(page: Page): Promise<string[]> {
  const creator = await firstLink(page, "/creators");
  const film = await firstLink(page, "/content/video?access=subscriber");
  const set = await firstLink(page, "/content/photoSet?access=subscriber");
  return [creator, film, set, `${set}/2`];
}

async function darken(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  await page.request.post("/api/color-mode", { form: { theme: "dark" }, headers: { origin } });
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
}
