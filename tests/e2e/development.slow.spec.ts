import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { endProcess } from "#tests/support/process/end-process.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { recordProblems } from "../support/browser/problems.ts";

test("the development server shows working pages at once, without an error", async ({ page }) => {
  test.setTimeout(300_000);
  const port = await findTestPort();
  const dataDir = await mkdtemp(join(tmpdir(), "peony-development-"));
  const site = spawn(process.execPath, ["--import", "tsx", "scripts/supervise.ts", "--dev"], {
    env: { NODE_ENV: "development", PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let said = "";
    site.stdout.on("data", (part: Buffer) => {
      said += part.toString();
    });
    // Loading the demo from source takes a minute of processor time, beside the other worker's tests.
    await expect.poll(() => said, { timeout: 200_000 }).toContain("Demo accounts");
    const [, payments = ""] = /simulates payments at (\S+)/.exec(said) ?? [];
    const ours = [`http://localhost:${port}`, new URL(payments).origin];
    expect(said.match(/http:\/\/[^/\s]+/g)?.filter((address) => !ours.includes(address))).toEqual([]);

    const problems = recordProblems(page);
    await page.goto(`http://localhost:${port}/enter?next=/signin`);
    await page.getByRole("button", { name: "Enter" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Sign in");
    await expect(page.locator("body")).not.toHaveClass("loading", { timeout: 30_000 });
    await page.evaluate(() => document.body.setAttribute("data-same-document", ""));
    await page.getByRole("button", { name: "Dark mode" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
    await expect(page.locator("[data-same-document]")).toHaveCount(1);
    // This warning is caused by the slow compilation.
    expect(problems.filter((problem) => !problem.includes("was preloaded"))).toEqual([]);
  } finally {
    await endProcess(site);
    await rm(dataDir, { recursive: true, force: true });
  }
});
