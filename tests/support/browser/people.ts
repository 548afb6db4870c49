import { randomBytes } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { withDatabase } from "./database.ts";
import { ownSite } from "./sites.ts";

/** Signs in a new member without a subscription. */
export async function signInAsNewMember(page: Page, next = "/"): Promise<string> {
  const email = `member-${randomBytes(5).toString("hex")}@example.com`;
  await withDatabase((sql) => sql`DELETE FROM rate_limits`);
  await signIn(page, email, next);
  return email;
}

/** Passes the gate without signing in. */
export async function enter(page: Page): Promise<void> {
  await page.goto("/enter");
  await page.getByRole("button", { name: /enter/i }).click();
  await expect(page).toHaveURL(/\/$/);
}

/** Signs in a new subscriber: favorites and progress of other tests cannot interfere. */
export async function signInAsNewSubscriber(page: Page, next = "/"): Promise<string> {
  const email = await addSubscriber();
  await signIn(page, email, next);
  return email;
}

/**
 * Passes the gate and the sign-in, with the email from the demo's outbox, and opens `next`. It sends the forms of these
 * pages without opening them, which takes seconds; the journey's test opens them as a person does.
 */
export async function signIn(page: Page, email: string, next = "/"): Promise<void> {
  await post(page, "/enter", {});
  await post(page, "/signin", { email });
  let link: string | null = null;
  await expect(async () => {
    link = linkIn(await (await page.request.get("/outbox")).text(), email);
    expect(link).not.toBeNull();
  }).toPass({ intervals: [50] });
  const token = new URL(link ?? "", "http://localhost").searchParams.get("token") ?? "";
  await post(page, "/signin/verify", { token });
  await page.goto(next);
}

/** Every one of these forms answers with a redirect when it is accepted. */
async function post(page: Page, path: string, form: Record<string, string>): Promise<void> {
  const headers = { origin: `http://localhost:${ownSite().port}` };
  const answer = await page.request.post(path, { form, headers, maxRedirects: 0 });
  if (![302, 303].includes(answer.status())) throw new Error(`${path} answered with ${answer.status()}`);
}

/** The newest email stands first. */
function linkIn(outbox: string, email: string): string | null {
  const mail = outbox.split("<article").find((article) => article.includes(email));
  return mail?.match(/href="([^"]*\/signin\/verify[^"]*)"/)?.[1]?.replaceAll("&amp;", "&") ?? null;
}

/** Continues from the sign-in form, through the email, to the form's destination. */
export async function finishSigningIn(page: Page, email: string): Promise<void> {
  await sendForm(page, email);
  await page.goto(await linkInOutbox(page, email));
  await page.locator("main").getByRole("button").first().click();
  await expect(page).not.toHaveURL(/\/signin/);
}

/** Opens the page that asks for the code. Returns the address to which the code was sent. */
export async function requestCode(page: Page): Promise<string> {
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

/** The link from the email to this address, which is sent with a short delay. The outbox is a page of the demo. */
export async function linkInOutbox(page: Page, email: string, path = "/signin/verify"): Promise<string> {
  const mail = page.getByRole("article").filter({ hasText: `To ${email}` });
  const link = mail.locator(`a[href*='${path}']`).first();
  await expect(async () => {
    await page.goto("/outbox");
    await expect(link).toBeVisible({ timeout: 500 });
  }).toPass();
  return (await link.getAttribute("href")) ?? "";
}

/** On the page of the outbox, in the newest email to this address. */
export async function codeInOutbox(page: Page, email: string): Promise<string> {
  const mail = page.getByRole("article").filter({ hasText: `To ${email}` });
  return /\b[0-9A-Z]{8}\b/.exec((await mail.first().textContent()) ?? "")?.[0] ?? "no code";
}

/** Makes the sign-in too old for actions that need a fresh one. */
export async function letSignInGrowOld(email: string, age = "11 minutes"): Promise<void> {
  await withDatabase(
    (sql) => sql`
      UPDATE sessions SET signed_in_at = now() - ${age}::interval
      WHERE user_id = (SELECT id FROM users WHERE email = ${email})`,
  );
}

/** Simulates a member who has requested the deletion of the account and signed in again. */
export async function letDeletionBegin(email: string): Promise<void> {
  await withDatabase((sql) => sql`UPDATE users SET deletion_requested_at = now() WHERE email = ${email}`);
}

/** A completed purchase. Returns the address to which the provider's page redirects. */
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

/**
 * The subscriber has the demo's own plan. All tests share one network address, so the sign-in limit would stop them
 * after sixty.
 */
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
