import { eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { sessions, users } from "#db/schema/auth.ts";
import { customers, subscriptions } from "#db/schema/billing.ts";
import { favorites } from "#db/schema/favorites.ts";
import { views } from "#db/schema/viewing.ts";

/** Everything the site knows of a person, by table. Without the hashes that stand for their cookies. */
export async function exportOwnData(userId: string) {
  const [person, devices, customer, subscribed, favorited, viewed] = await Promise.all([
    db.select().from(users).where(eq(users.id, userId)),
    db.select().from(sessions).where(eq(sessions.userId, userId)),
    db.select().from(customers).where(eq(customers.userId, userId)),
    db.select().from(subscriptions).where(eq(subscriptions.userId, userId)),
    db.select().from(favorites).where(eq(favorites.userId, userId)),
    db.select().from(views).where(eq(views.userId, userId)),
  ]);
  return {
    users: person,
    sessions: devices.map(({ tokenHash: _hidden, ...device }) => device),
    customers: customer,
    subscriptions: subscribed,
    favorites: favorited,
    views: viewed,
  };
}
