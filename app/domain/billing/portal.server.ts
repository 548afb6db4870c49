import { eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/billing.ts";
import { currentProvider } from "./providers/current-provider.server.ts";

/**
 * Address of the provider's page where this person's card, plan and invoices are. Null when the provider does not know
 * the person; throws ProviderUnreachable.
 */
export async function openPortal(userId: string, returnUrl: string): Promise<string | null> {
  const provider = currentProvider();
  if (provider === null) return null;
  const [customer] = await db.select().from(customers).where(eq(customers.userId, userId));
  if (customer === undefined || customer.provider !== provider.name) return null;
  return provider.openPortal({ customerId: customer.providerCustomerId, returnUrl });
}
