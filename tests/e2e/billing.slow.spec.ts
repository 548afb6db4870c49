import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectSoon, press } from "../support/browser/payments.ts";
import { enter, linkInOutbox, signInAsNewMember } from "../support/browser/people.ts";
import { recordProblems } from "../support/browser/problems.ts";

const ACCOUNT = "/user/account";
const GATED = "/content/video?access=subscriber&sort=title";

test("a trial becomes a subscription, whose payment fails and is repeated, which is canceled, kept, and ends", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const problems = recordProblems(page);
  await signInAsNewMember(page, GATED);
  const url = await openGated(page);
  await expect(page.locator("video")).toHaveCount(0);

  await subscribe(page);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/welcome/i);
  await expectSoon(page, /Your trial lasts until/);
  await page.goto(url);
  await expect(page.locator("video")).toHaveCount(1);

  await press(page, "advance 8");
  await expectSoon(page, /Your subscription is active until .* and then renews/);
  await expect(page.locator("#subscription")).toContainText("$14.99");

  await page.getByRole("button", { name: "Change plan or card" }).click();
  await page.getByLabel(/fails at the renewal$/).check();
  await page.getByRole("button", { name: "Use this card" }).click();
  await page.getByRole("link", { name: "Back to the site" }).click();
  await expect(page).toHaveURL(/\/user\/account/);
  await press(page, "advance 31");
  await expectSoon(page, /the last payment did not go through/i);
  await page.goto(url);
  await expect(page.locator("video")).toHaveCount(0);
  await page.locator("main").getByRole("button", { name: "Fix payment" }).click();
  await expect(page.getByRole("heading", { name: "Invoices" })).toBeVisible();
  await page.getByRole("link", { name: "Pay" }).click();
  await page.getByRole("button", { name: /Pay/ }).click();
  await expectSoon(page, /Your subscription is active until .* and then renews/);
  await page.goto(url);
  await expect(page.locator("video")).toHaveCount(1);

  await cancel(page);
  await page.getByRole("radio", { name: "I need a break" }).check();
  await page.getByLabel("In your own words").fill("Back in spring");
  await page.getByRole("button", { name: "Send answer" }).click();
  await expect(page.getByRole("status").filter({ hasText: "We have saved your answer" })).toBeVisible();
  await page.goto(ACCOUNT);
  await expect(page.locator("main")).toContainText(/is active until .* and then ends/);
  await page.getByRole("button", { name: "Keep my subscription" }).click();
  await expect(page.locator("main")).toContainText(/and then renews/);
  await cancel(page);
  // A period lasts at most a month and may have started when the payment was fixed.
  await press(page, "advance 31");
  await press(page, "advance 31");
  await expectSoon(page, /your subscription (has )?ended/i);
  await page.goto(url);
  await expect(page.locator("video")).toHaveCount(0);
  expect(problems).toEqual([]);
});

test("a visitor who has never been here gets from a locked video to the payment page in five presses and one email", async ({
  page,
}) => {
  await enter(page);
  await page.goto(GATED);
  const url = await openGated(page);
  const main = page.locator("main");
  for (const size of [
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    for (const seen of [page.locator("h1"), main.getByText(/14\.99 a month/), offerLink(page)])
      await expect(seen).toBeInViewport({ ratio: 1 });
  }
  const email = `newcomer-${Date.now()}@example.com`;
  let presses = 0;
  const press = async (target: Locator) => {
    presses += 1;
    await target.filter({ visible: true }).click();
  };
  await press(offerLink(page));
  await page.waitForURL(/\/subscribe/, { waitUntil: "load" });
  await page.getByLabel("Email address").fill(email);
  await press(page.getByRole("button", { name: "Send me a link" }));
  await expect(page).toHaveURL(/\/signin\/code/);
  await page.goto(await linkInOutbox(page, email));
  await press(main.getByRole("button").first());
  await page.waitForURL(/\/subscribe/, { waitUntil: "load" });
  await press(page.getByRole("checkbox"));
  await press(page.getByRole("button", { name: "Continue to payment" }));
  await expect(page.getByText("Stand-in for Stripe: no money moves")).toBeVisible();
  expect(presses).toBe(5);
  await page.getByLabel(/works$/).check();
  await page.getByRole("button", { name: "Start" }).click();
  await page.locator("main").locator(`a[href="${url}"]`).first().click();
  await expect(page.locator("video")).toHaveCount(1);
});

const offerLink = (page: Page) => page.locator("main").getByRole("link", { name: "Subscribe from $14.99" });

test("going back at the payment page charges nothing and shows the offer again", async ({ page }) => {
  await signInAsNewMember(page, "/subscribe");
  await toPayment(page);
  await page.getByRole("link", { name: "Back without subscribing" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You left the payment page");
  await page.getByRole("link", { name: "Back to the offer" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Everything, in full.");
});

test("every plan is seen before the terms, and choosing one moves nothing", async ({ page }) => {
  await enter(page);
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 768, height: 1024 },
    { width: 1280, height: 900 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto("/subscribe", { waitUntil: "load" });
    const plans = page.getByRole("radio");
    for (const plan of await plans.all()) await expect(plan).toBeInViewport({ ratio: 1 });
    const placesOf = async () => Promise.all((await plans.all()).map((plan) => plan.boundingBox()));
    const before = await placesOf();
    await plans.last().check();
    expect(await placesOf()).toEqual(before);
    await expect(page.getByRole("button", { name: "Send me a link" })).toHaveCount(1);
  }
});

test("without the box ticked nothing is sold, and the plan stays chosen", async ({ page }) => {
  await signInAsNewMember(page, "/subscribe");
  await page.getByRole("radio").last().check();
  await page.getByRole("button", { name: "Continue to payment" }).filter({ visible: true }).click();
  await expect(page.getByRole("alert").filter({ visible: true })).toBeVisible();
  await expect(page.getByRole("radio").last()).toBeChecked();
});

async function openGated(page: Page): Promise<string> {
  await page.getByRole("article").first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/content\/video\/./);
  return new URL(page.url()).pathname;
}

/** Subscribes from a locked video, through the offer and the payment page, and returns. */
async function subscribe(page: Page): Promise<void> {
  await page.locator("main").getByRole("link", { name: "See the plans" }).click();
  await toPayment(page);
  await page.getByLabel(/works$/).check();
  await page.getByRole("button", { name: "Start" }).click();
  await expect(page).toHaveURL(/\/subscribe\/return/);
}

/** Chooses the first plan, which starts with a trial. */
async function toPayment(page: Page): Promise<void> {
  // Until the styles are there the terms of every plan count as visible.
  await page.waitForURL(/\/subscribe/, { waitUntil: "load" });
  await page.getByRole("radio").first().check();
  await page.getByRole("checkbox").filter({ visible: true }).check();
  await page.getByRole("button", { name: "Continue to payment" }).filter({ visible: true }).click();
  await expect(page.getByText("Stand-in for Stripe: no money moves")).toBeVisible();
}

async function cancel(page: Page): Promise<void> {
  await page.goto(ACCOUNT);
  await page.getByRole("link", { name: "Cancel subscription" }).click();
  await page.getByRole("button", { name: "Cancel my subscription" }).click();
  await expect(page.getByRole("heading", { name: "Your subscription is canceled" })).toBeVisible();
}
