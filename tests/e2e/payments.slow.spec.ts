import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { endProcess } from "#tests/support/process/end-process.ts";
import { finishSigningIn } from "../support/browser/people.ts";
import { ownSite } from "../support/browser/sites.ts";
import { makeShortDemo } from "../support/process/short-demo.ts";

/** The purchase at tests/e2e/billing.slow.spec.ts, at the other providers' stand-ins, on a narrow screen. */
const PROVIDERS: Record<string, { name: string; works: RegExp; cards: Cards | null }> = {
  ccbill: {
    name: "CCBill",
    works: /works$/,
    cards: { declined: /is declined$/, failsLater: /fails at the renewal$/ },
  },
  btcpay: { name: "BTCPay Server", works: /Lightning/, cards: null },
};

/** Null where nobody can be charged. */
type Cards = { declined: RegExp; failsLater: RegExp };

/** Far from the other sites of these tests, and one for each worker. */
const PORT = ownSite().port - 12_000;

interface DemoSite {
  /** The stand-in's own address. */
  control: string;
  stop(): Promise<void>;
}

const FIRST_DAYS_AND_ONE = 4;
const STARTS_WITHIN_MS = 120_000;
const ACCOUNT = "/user/account";
const GATED = "/content/video?access=subscriber&sort=title";

let site: DemoSite;
test.use({ viewport: { width: 390, height: 844 } });

for (const [payments, { name, works, cards }] of Object.entries(PROVIDERS)) {
  test.describe(`at ${name}`, () => {
    test.use({ baseURL: `http://localhost:${PORT}` });
    test.beforeAll(async () => {
      test.setTimeout(2 * STARTS_WITHIN_MS);
      site = await startDemo(payments, name);
    });
    test.afterAll(() => site.stop());

    test("a visitor gets from a locked video to the payment page and back, and watches", async ({ page }) => {
      await signIn(page, GATED);
      await page.getByRole("article").first().getByRole("link").first().click();
      await expect(page).toHaveURL(/\/content\/video\/./);
      const url = new URL(page.url()).pathname;
      await page.locator("main").getByRole("link", { name: "See the plans" }).click();
      await toPayment(page, name);
      await page.getByLabel(works).check();
      await page.getByRole("button", { name: "Pay" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome", { timeout: 30_000 });
      await fitsWidth(page);
      await page.getByRole("link", { name: "Continue where you were" }).click();
      await expect(page).toHaveURL(new RegExp(url));
      await expect(page.locator("video source").first()).not.toHaveAttribute("src", /trailer/);
    });

    if (cards === null) return;

    test("whose payment is declined finds the offer again, and whose renewal fails can end it", async ({
      page,
    }) => {
      await signIn(page, "/subscribe");
      await toPayment(page, name);
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await page.getByLabel(cards.declined).check();
        await page.getByRole("button", { name: "Pay" }).click();
      }
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Everything, in full.");
      await toPayment(page, name);
      await page.getByLabel(cards.failsLater).check();
      await page.getByRole("button", { name: "Pay" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome", { timeout: 30_000 });
      await expectSoon(page, /Your subscription is active until .* and then renews/);
      for (let day = 0; day < FIRST_DAYS_AND_ONE; day += 1)
        await page.request.post(site.control, { form: { intent: "advance 1" } });
      await expectSoon(page, /The last payment did not go through/);
      await fitsWidth(page);
      await page.locator("main").getByRole("link", { name: "Pay with another card" }).click();
      await expect(page.getByText("This cannot be undone")).toBeVisible();
      await page.getByRole("button", { name: "Cancel my subscription" }).click();
      await expect(page.getByRole("heading", { name: "This subscription has ended" })).toBeVisible();
      await page.goto("/subscribe");
      await expect(page.getByRole("heading", { name: "Choose your plan" })).toBeVisible();
    });
  });
}

async function startDemo(payments: string, name: string): Promise<DemoSite> {
  const folder = await makeShortDemo();
  const child = spawn(process.execPath, ["build/scripts/supervise.js"], {
    cwd: folder,
    env: { NODE_ENV: "production", PATH: process.env.PATH, PORT: String(PORT), PAYMENTS: payments },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (part: Buffer) => {
    said += part.toString();
  });
  const line = `The stand-in for ${name} is at`;
  await expect.poll(() => said, { timeout: STARTS_WITHIN_MS }).toContain(line);
  const [, control = ""] = /simulates payments at ([^?\s]+)/.exec(said) ?? [];
  const stop = async () => {
    await endProcess(child);
    await rm(folder, { recursive: true, force: true });
  };
  return { control, stop };
}

async function signIn(page: Page, next: string): Promise<void> {
  await page.goto(`/enter?next=${encodeURIComponent(`/signin?next=${encodeURIComponent(next)}`)}`);
  await page.getByRole("button", { name: /enter/i }).click();
  await finishSigningIn(page, `buyer-${Date.now()}@example.com`);
}

/** Chooses the first plan, whose first period lasts three days. */
async function toPayment(page: Page, provider: string): Promise<void> {
  // Until the styles are there the terms of every plan count as visible.
  await page.waitForURL(/\/subscribe/, { waitUntil: "load" });
  await page.getByRole("radio").first().check();
  await fitsWidth(page);
  await page.getByRole("checkbox").filter({ visible: true }).check();
  await page.getByRole("button", { name: "Continue to payment" }).filter({ visible: true }).click();
  await expect(page.getByText(`Stand-in for ${provider}: no money moves`)).toBeVisible();
  await fitsWidth(page);
}

/** Events arrive with a delay. */
async function expectSoon(page: Page, words: RegExp): Promise<void> {
  await expect(async () => {
    await page.goto(ACCOUNT);
    await expect(page.locator("#subscription")).toContainText(words, { timeout: 500 });
  }).toPass({ timeout: 30_000 });
}

async function fitsWidth(page: Page): Promise<void> {
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);
}
