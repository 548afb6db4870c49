import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";
import { untilScriptsRun } from "./scripts.ts";

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/**
 * Checks the page as it is now against all rules of axe, and returns a line for each violated rule.
 *
 * Axe is injected once for each document, as its source takes longer to parse than most pages take to check. The site
 * has no frames, so only the page itself gets it.
 */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => Boolean(window.axe)))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await (window.axe as typeof axe).run({ resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  });
}

export async function expectNoViolationsAt(page: Page, path: string): Promise<void> {
  await page.goto(path);
  // A redirect would show a different page.
  expect.soft(new URL(page.url()).pathname).toBe(path.replace(/\?.*/, ""));
  await expectNoViolations(page, path);
}

/** Meets each mode and each width once. Leaves the page in the other mode, in which the next page then starts: switching is cheaper than loading. */
export async function expectNoViolations(page: Page, what: string): Promise<void> {
  await untilScriptsRun(page);
  for (const [index, mode] of (await bothModes(page)).entries()) {
    await mode.choose();
    const width = index === 0 ? 1280 : 390;
    await page.setViewportSize({ width, height: 844 });
    expect.soft(await findViolations(page), `${what} in ${mode.name} at ${width} px`).toEqual([]);
  }
}

/** The current mode, then the other one, chosen with the page's own button. */
export async function bothModes(page: Page): Promise<{ name: string; choose(): Promise<void> }[]> {
  const html = page.locator("html");
  const attribute = "data-mantine-color-scheme";
  const present = (await html.getAttribute(attribute)) ?? "";
  const other = present === "light" ? "dark" : "light";
  return [
    { name: present, choose: () => expect(html).toHaveAttribute(attribute, present) },
    {
      name: other,
      async choose() {
        await page.getByRole("banner").getByRole("button", { name: /mode/i }).click();
        await expect(html).toHaveAttribute(attribute, other);
        await page.mouse.move(0, 400);
      },
    },
  ];
}
