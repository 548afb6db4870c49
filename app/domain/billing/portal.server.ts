import { eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/billing.ts";
import type { SubscriptionStatus } from "./access.ts";
import { findPayPage } from "./pay-page.server.ts";
import { currentProvider } from "./providers/current-provider.server.ts";
import { refreshCustomer } from "./reconcile.server.ts";

interface Person {
  user: { id: string };
  subscription: { id: string; status: SubscriptionStatus } | null;
}

/**
 * Address of the provider's page where this person's card, plan and invoices are; while the first payment is not
 * completed, of the page that it is completed on. Null when the provider does not know the person, or there is nothing
 * left to complete; throws ProviderUnreachable.
 */
export async function openPortal({ user, subscription }: Person, returnUrl: string): Promise<string | null> {
  const provider = currentProvider();
  if (provider === null) return null;
  const [customer] = await db.select().from(customers).where(eq(customers.userId, user.id));
  if (customer === undefined || customer.provider !== provider.name) return null;
  if (subscription?.status === "incomplete") {
    // It may have been given up by now, and then there is nothing to pay.
    await refreshCustomer(user.id);
    const { status, url } = await findPayPage(subscription.id);
    if (status !== "incomplete") return null;
    if (url !== null) return url;
  }
  return provider.openPortal({ customerId: customer.providerCustomerId, returnUrl });
}
