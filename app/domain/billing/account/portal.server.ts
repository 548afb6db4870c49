import {
  ACCESS_KINDS,
  PAID_STATUSES,
  type StateKind,
  type SubscriptionStatus,
} from "#app/domain/access/subscription-state.ts";
import { capabilitiesOf } from "../providers/contract/capabilities.ts";
import type { BillingProvider } from "../providers/contract/provider.ts";
import { providerOf, sellingProvider } from "../providers/providers.server.ts";
import { withTimeout } from "../providers/timeout.ts";
import type { CurrentSubscription } from "../subscriptions/current-subscription.server.ts";
import { findCustomerId } from "../subscriptions/customers.server.ts";
import { findPayPage } from "../subscriptions/own-subscription.server.ts";
import { refreshCustomer } from "../sync/reconcile.server.ts";

interface Member {
  user: { id: string };
  subscription: { id: string; provider: string; status: SubscriptionStatus; state: StateKind } | null;
}

export async function hasPortal(subscription: CurrentSubscription | null): Promise<boolean> {
  const provider = portalProvider(subscription);
  if (subscription === null || provider === null) return false;
  return (await findCustomerId(subscription.userId, provider)) !== null;
}

export function portalProvider(subscription: CurrentSubscription | null): string | null {
  if (subscription === null || findPortalProvider(subscription.provider) === null) return null;
  const { provider, status, unknownSince, renewalEndedBy } = subscription;
  // On its own page, a provider that sells no more may offer to renew.
  if (renewalEndedBy !== null && subscription.cancelAtPeriodEnd) return null;
  return status === "incomplete" || unknownSince !== null ? null : provider;
}

function findPortalProvider(name: string): BillingProvider | null {
  return capabilitiesOf(name).portal === null ? null : providerOf(name);
}

/** Null when there is neither a portal nor a payment to make. Throws ProviderUnreachable. */
export function openPortal(member: Member, returnUrl: string): Promise<string | null> {
  return withTimeout(findPortal(member, returnUrl));
}

async function findPortal({ user, subscription }: Member, returnUrl: string): Promise<string | null> {
  const name = subscription?.provider ?? sellingProvider()?.name ?? "";
  const customerId = await findCustomerId(user.id, name);
  if (customerId === null) return null;
  if (subscription && isUnsure(subscription)) {
    // It may have been paid or canceled meanwhile; then nothing is due.
    await refreshCustomer(user.id);
    const { status, url, isPaymentPending } = await findPayPage(subscription.id);
    if (status !== subscription.status || isPaymentPending) return null;
    if (url !== null) return url;
    if (status !== "incomplete") return null;
  }
  const provider = findPortalProvider(name);
  const url = provider && (await provider.openPortal({ customerId, returnUrl }));
  // After this sync the account page shows why there is no portal.
  if (url === null) await refreshCustomer(user.id);
  return url;
}

function isUnsure({ status, state }: NonNullable<Member["subscription"]>): boolean {
  return state === "unbegun" || (PAID_STATUSES.includes(status) && !ACCESS_KINDS.includes(state));
}
