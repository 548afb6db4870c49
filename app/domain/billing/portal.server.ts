import { and, eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/billing.ts";
import type { SubscriptionStatus } from "./access.ts";
import type { CurrentSubscription } from "./current-subscription.server.ts";
import { withPatience } from "./patience.ts";
import { findPayPage } from "./pay-page.server.ts";
import { currentProvider } from "./providers/current-provider.server.ts";
import { refreshCustomer } from "./reconcile.server.ts";

interface Person {
  user: { id: string };
  subscription: { id: string; status: SubscriptionStatus; isCurrent: boolean } | null;
}

/**
 * Whether there is a page of the provider's where the plan and the card of a subscription can be changed: not of one that
 * nobody charges for, nor before the first payment is completed.
 */
export async function hasPortal(subscription: CurrentSubscription | null): Promise<boolean> {
  const provider = currentProvider();
  if (provider === null || subscription?.provider !== provider.name) return false;
  if (subscription.status === "incomplete" || subscription.unknownSince !== null) return false;
  const isTheirs = and(eq(customers.userId, subscription.userId), eq(customers.provider, provider.name));
  return (await db.$count(customers, isTheirs)) > 0;
}

/**
 * Address of the provider's page where this person's card, plan and invoices are; while the first payment is not
 * completed, or no payment for a renewal is known, of the page that it is completed on. Null when the provider does not know
 * the person, or there is nothing left to complete, or a bank is sending the money; throws ProviderUnreachable.
 */
export function openPortal(person: Person, returnUrl: string): Promise<string | null> {
  return withPatience(findPortal(person, returnUrl));
}

async function findPortal({ user, subscription }: Person, returnUrl: string): Promise<string | null> {
  const provider = currentProvider();
  if (provider === null) return null;
  const [customer] = await db.select().from(customers).where(eq(customers.userId, user.id));
  if (customer === undefined || customer.provider !== provider.name) return null;
  if (subscription && isUnsure(subscription)) {
    // It may have been paid or given up by now, and then there is nothing to pay.
    await refreshCustomer(user.id);
    const { status, url, isPaymentPending } = await findPayPage(subscription.id);
    if (status !== subscription.status || isPaymentPending) return null;
    if (url !== null) return url;
    if (status !== "incomplete") return null;
  }
  const url = await provider.openPortal({ customerId: customer.providerCustomerId, returnUrl });
  // The account, where nothing leads here then, says why.
  if (url === null) await refreshCustomer(user.id);
  return url;
}

/** What our rows say of it may be old. */
function isUnsure({ status, isCurrent }: NonNullable<Person["subscription"]>): boolean {
  return status === "incomplete" || (!isCurrent && (status === "active" || status === "trialing"));
}
