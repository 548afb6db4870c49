import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";

const ROUTES = [
  "/",
  "/creators",
  "/content/video",
  "/content/photoSet",
  "/signin",
  "/outbox",
  "/privacy",
  "/terms",
  "/about",
  "/2257",
  "/nowhere",
];

for (const mode of ["light", "dark"] as const) {
  test(`every page is free of accessibility violations in ${mode} mode`, async ({ page }) => {
    test.setTimeout(120_000);
    await enter(page);
    if (mode === "dark") await darken(page);
    for (const route of ROUTES) {
      await page.goto(route);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
      expect.soft(found, `${route} in ${mode}`).toEqual([]);
    }
  });
}

async function enter(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: /enter/i }).click();
}

async function darken(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  await page.request.post("/api/color-mode", { form: { theme: "dark" }, headers: { origin } });
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
}
