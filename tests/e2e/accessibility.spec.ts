import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { leaveTraces, listOpenPages, listOwnPages, listPagesWithout, OWN } from "./pages.ts";
import { addPurchase, askForCode, enter, linkInOutbox, signInAsNewSubscriber } from "./people.ts";

const GATE = ["/enter", "/enter?left=1"];

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
    for (const path of await listOpenPages(page)) await expectNoViolationsAt(page, mode, path);
    await askForCode(page);
    await expectNoViolations(page, mode, "/signin/code");
    await page.goto(await linkInOutbox(page));
    await expect(page.getByRole("main").getByRole("button", { name: "Sign in" })).toBeVisible();
    await expectNoViolations(page, mode, "/signin/verify with a good link");
  });

  test(`every page is free of accessibility violations in ${mode} mode, signed in`, async ({ page }) => {
    test.setTimeout(240_000);
    await page.setViewportSize({ width, height: 844 });
    const email = await signInAsNewSubscriber(page);
    if (mode === "dark") await darken(page);
    const paths = [...(await listOwnPages(page)), await addPurchase(email)];
    for (const path of paths) await expectNoViolationsAt(page, mode, path);
    const set = await leaveTraces(page);
    for (const route of ["/", "/user/favorites", "/user/history", set]) {
      await page.goto(route);
      await expectNoViolations(page, mode, `${route}, not empty`);
    }
    await page.locator("summary", { hasText: "Your menu" }).click();
    await expectNoViolations(page, mode, "the open account menu");
  });
}

test("every page of the site is among those that are checked", async ({ page }) => {
  test.setTimeout(120_000);
  await enter(page);
  const paths = [...GATE, ...(await listOpenPages(page)), "/signin/code", "/subscribe/return", ...OWN];
  expect(await listPagesWithout(paths)).toEqual([]);
});

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

async function darken(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  await page.request.post("/api/color-mode", { form: { theme: "dark" }, headers: { origin } });
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
}
