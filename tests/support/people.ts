import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { DAY_MS } from "#app/dates.ts";
import type { SubscriptionStatus } from "#app/domain/access/subscription-state.ts";
import { createSession } from "#app/domain/auth/sessions.server.ts";
import type { Role } from "#app/domain/staff/rights.ts";
import { keepBrowserId } from "#app/web/request/browser-id.server.ts";
import { serializeAgeProof } from "#app/web/session/age-cookie.server.ts";
import { sessionCookie } from "#app/web/session/session-cookie.server.ts";
import { db } from "#db/client.server.ts";
import { sessions, users } from "#db/schema/auth.ts";
import { prices, products } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";

const PRICE_ID = "price_test_monthly";
const PRODUCT_ID = "prod_test";

export interface TestMember {
  id: string;
  email: string;
}

export async function createMember(
  given: { email?: string; role?: Role; fullName?: string } = {},
): Promise<TestMember> {
  const email = given.email ?? `member-${randomBytes(5).toString("hex")}@example.com`;
  const [row] = await db
    .insert(users)
    .values({ email, role: given.role ?? "member", full_name: given.fullName ?? null })
    .returning({ id: users.id });
  if (!row) throw new Error("The member was not stored");
  return { id: row.id, email };
}

/** A Cookie header of a signed-in person past the age gate: "session=…; adult=…; browser=…". */
export async function signedInCookie(userId: string): Promise<string> {
  const { token } = await createSession({ userId, device: "Firefox on Linux", network: "127.0.0.0/24" });
  return `${pair(await sessionCookie.serialize(token))}; ${await adultCookie()}`;
}

/** A Cookie header of a signed-out person past the age gate, in a new browser: "adult=…; browser=…". */
export async function adultCookie(): Promise<string> {
  const browser = await keepBrowserId(new Request("http://localhost/"));
  return `${pair(await serializeAgeProof(browser))}; ${pair(browser.setCookie)}`;
}

/** Gives the user a subscription, whose period ends in 30 days by default. Returns its id. */
export async function subscribe(
  userId: string,
  status: SubscriptionStatus = "active",
  { periodEnd = new Date(Date.now() + 30 * DAY_MS) }: { periodEnd?: Date } = {},
): Promise<string> {
  await db.insert(products).values({ id: PRODUCT_ID, name: "Membership" }).onConflictDoNothing();
  await db
    .insert(prices)
    .values({ id: PRICE_ID, productId: PRODUCT_ID, currency: "eur", unitAmount: 1200, interval: "month" })
    .onConflictDoNothing();
  const id = `sub_${randomBytes(8).toString("hex")}`;
  await db.insert(subscriptions).values({
    id,
    userId,
    provider: "demo",
    status,
    priceId: PRICE_ID,
    currentPeriodStart: new Date(periodEnd.getTime() - 30 * DAY_MS),
    currentPeriodEnd: periodEnd,
  });
  return id;
}

/** For polls: visits are noted together, some seconds after their pages were sent. */
export const UNTIL_NOTED = { timeout: 15_000 };

/** Null until the first visit is noted. */
export async function lastSeenAt(userId: string): Promise<Date | null> {
  const [user] = await db.select({ at: users.lastSeenAt }).from(users).where(eq(users.id, userId));
  return user?.at ?? null;
}

/** Simulates that the account's deletion was requested long ago and not undone. */
export async function letDeletionFallDue(userId: string): Promise<void> {
  await db
    .update(users)
    .set({ deletionRequestedAt: sql`now() - interval '15 days'` })
    .where(eq(users.id, userId));
}

/** Makes the sign-in so old that the session alone does not permit sensitive actions. */
export async function letSignInGrowOld(userId: string, ago = "601 seconds"): Promise<void> {
  await db
    .update(sessions)
    .set({ signedInAt: sql`now() - ${ago}::interval` })
    .where(eq(sessions.userId, userId));
}

function pair(setCookie: string): string {
  return setCookie.split(";", 1)[0] ?? "";
}
