import { randomBytes } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { withDatabase } from "./database.ts";

/** Signs somebody new in, who has bought nothing. */
export async function signInAsNewMember(page: Page, next = "/"): Promise<string> {
  const email = `member-${randomBytes(5).toString("hex")}@example.com`;
  await withDatabase((sql) => sql`DELETE FROM rate_limits`);
  await signIn(page, email, next);
  return email;
}

/** Past the gate, signed out. */
export async function enter(page: Page): Promise<void> {
  await page.goto("/enter");
  await page.getByRole("button", { name: /enter/i }).click();
  await expect(page).toHaveURL(/\/$/);
}

/** Signs a new subscriber in as a person does it: gate, form, mail. Nobody else's favorites or places get in the way. */
export async function signInAsNewSubscriber(page: Page, next = "/"): Promise<string> {
  const email = await addSubscriber();
  await signIn(page, email, next);
  return email;
}

/** Through the gate and the sign-in form, with the mail from the demo's outbox. */
export async function signIn(page: Page, email: string, next = "/"): Promise<void> {
  const form = `/signin?next=${encodeURIComponent(next)}`;
  await page.goto(`/enter?next=${encodeURIComponent(form)}`);
  if (page.url().includes("/enter")) await page.getByRole("button", { name: /enter/i }).click();
  await finishSigningIn(page, email);
}

/** From the sign-in form, through the mail, to where the form was to lead. */
export async function finishSigningIn(page: Page, email: string): Promise<void> {
  await sendForm(page, email);
  await page.goto(await linkInOutbox(page, email));
  await page.locator("main").getByRole("button").first().click();
  await expect(page).not.toHaveURL(/\/signin/);
}

/** To the page that asks for the code. Returns the address that it was sent to. */
export async function askForCode(page: Page): Promise<string> {
  const email = await addSubscriber();
  await page.goto("/signin");
  await sendForm(page, email);
  return email;
}

async function sendForm(page: Page, email: string): Promise<void> {
  await page.getByLabel(/mail/i).fill(email);
  await page.locator("main").getByRole("button").first().click();
  await expect(page).toHaveURL(/\/signin\/code/);
}

/** From the mail to this address, which leaves a little after it was asked for. The outbox is a page of the demo. */
export async function linkInOutbox(page: Page, email: string): Promise<string> {
  const mail = page.getByRole("article").filter({ hasText: `To ${email}` });
  const link = mail.locator("a[href*='/signin/verify']").first();
  await expect(async () => {
    await page.goto("/outbox");
    await expect(link).toBeVisible({ timeout: 500 });
  }).toPass();
  return (await link.getAttribute("href")) ?? "";
}

/** A purchase of theirs that is done, as the provider's page leads back to it. */
export async function addPurchase(email: string): Promise<string> {
  return withDatabase(async (sql) => {
    const [row] = await sql<{ id: string }[]>`
      INSERT INTO checkouts (user_id, price_id, status, provider, subscription_id, currency, unit_amount, interval, interval_count, consent_text, consent_hash)
      SELECT s.user_id, s.price_id, 'completed', s.provider, s.id, 'usd', 1499, 'month', 1, 'I agree', repeat('0', 64)
      FROM subscriptions s JOIN users u ON u.id = s.user_id WHERE u.email = ${email} RETURNING id
    `;
    return `/subscribe/return?checkout=${row?.id}`;
  });
}

/** With the demo's own plan. All tests come from one address, which the limits of sign-in would stop after ten. */
export async function addSubscriber(): Promise<string> {
  const email = `subscriber-${randomBytes(5).toString("hex")}@example.com`;
  await withDatabase(async (sql) => {
    await sql`DELETE FROM rate_limits`;
    await sql`
      WITH person AS (INSERT INTO users (email) VALUES (${email}) RETURNING id)
      INSERT INTO subscriptions (id, user_id, provider, status, price_id, current_period_start, current_period_end)
      SELECT 'sub_' || id, id, 'demo', 'active', 'price_demo_monthly', now(), now() + interval '30 days' FROM person
    `;
  });
  return email;
}
