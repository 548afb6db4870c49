import { config } from "#app/config.server.ts";
import { DAY_MS } from "#app/dates.ts";
import { sellerOfOwnPrices } from "#app/domain/billing/providers/providers.server.ts";
import { recordSubscriptionChange } from "#app/domain/billing/subscriptions/subscription-changes.server.ts";
import type { Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { customers } from "#db/schema/customers.ts";
import { favorites } from "#db/schema/favorites.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { views } from "#db/schema/viewing.ts";
import { DEMO_PEOPLE } from "./demo-people.ts";
import { demoId } from "./files.server.ts";
import { insertPlan, YEARLY_ID } from "./offer.server.ts";

/** The key, the progress in seconds, hours since the last view, and whether it was completed. */
const SEEN: [string, number, number, boolean][] = [
  ["nine-days-in-may", 9, 3, false],
  ["tide-tables", 5, 8, false],
  ["under-the-skin-of-water", 11, 26, false],
  ["two-lamps", 6, 50, false],
  ["slow-undoing", 16, 30, true],
];
const LOVED = [
  "nine-days-in-may",
  "second-skin",
  "morning-glass",
  "the-red-hour",
  "lights-out",
  "slow-bloom",
];

/** Inserts the demo's people, the subscription of one of them, and their views. Existing people are kept. */
export async function insertDemoPeople(tx: Transaction, now: Date): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const rows = DEMO_PEOPLE.map((person) => ({
    ...person,
    id: demoId("user", person.email),
    previousVisitAt: ago(5),
  }));
  const inserted = await tx.insert(users).values(rows).onConflictDoNothing().returning({ id: users.id });
  await insertPlan(tx);
  const userId = demoId("user", "subscriber@example.com");
  if (!inserted.some(({ id }) => id === userId)) return;

  if (sellerOfOwnPrices() === null) await insertSubscription(tx, userId, ago);
  await tx.insert(views).values(
    SEEN.map(([key, progress, hours, isCompleted]) => ({
      userId,
      mediaId: demoId("media", key),
      progress,
      completedAt: isCompleted ? ago(hours / 24) : null,
      lastViewedAt: ago(hours / 24),
    })),
  );
  await tx
    .insert(favorites)
    .values(
      LOVED.map((key, index) => ({ userId, mediaId: demoId("media", key), favoritedAt: ago(index * 4 + 1) })),
    );
}

async function insertSubscription(
  tx: Transaction,
  userId: string,
  ago: (days: number) => Date,
): Promise<void> {
  const isPlayed = config.billing.stripe?.apiUrl !== undefined;
  // The stand-in for Stripe uses the same ids for the customer and the subscription, so it can continue from here.
  if (isPlayed) {
    await tx.insert(customers).values({ userId, provider: "stripe", providerCustomerId: "cus_demo" });
  }
  await tx.insert(subscriptions).values({
    id: "sub_demo",
    userId,
    // Stripe itself would not know this subscription.
    provider: isPlayed ? "stripe" : "demo",
    status: "active",
    priceId: YEARLY_ID,
    created: ago(101),
    currentPeriodStart: ago(101),
    currentPeriodEnd: ago(101 - 365),
  });
  await recordSubscriptionChange(tx, "sub_demo");
}
