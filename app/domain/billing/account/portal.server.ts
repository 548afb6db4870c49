import {
  ACCESS_KINDS,
  PAID_STATUSES,
  type StateKind,
  type SubscriptionStatus,
} from "#app/domain/access/subscription-state.ts";
import { sellingProvider } from "../providers/providers.server.ts";
import { withTimeout } from "../providers/timeout.ts";
import type { CurrentSubscription } from "../subscriptions/current-subscription.server.ts";
import { findCustomerId } from "../subscriptions/customers.server.ts";
import { findPayPage } from "../subscriptions/own-subscription.server.ts";
import { refreshCustomer } from "../sync/reconcile.server.ts";

interface Member {
  user: { id: string };
  subscription: { id: string; status: SubscriptionStatus; state: StateKind } | null;
}

export async function hasPortal(subscription: CurrentSubscription | null): Promise<boolean> {
  const provider = portalProvider(subscription);
  if (subscription === null || provider === null) return false;
  return (await findCustomerId(subscription.userId, provider)) !== null;
}

export function portalProvider(subscription: CurrentSubscription | null): string | null {
  const provider = sellingProvider();
  if (provider === null || subscription?.provider !== provider.name) return null;
  return subscription.status === "incomplete" || subscription.unknownSince !== null ? null : provider.name;
}

/** Null when there is neither a portal nor a payment to make. Throws ProviderUnreachable. */
export function openPortal(member: Member, returnUrl: string): Promise<string | null> {
  return withTimeout(findPortal(member, returnUrl));
}

async function findPortal({ user, subscription }: Member, returnUrl: string): Promise<string | null> {
  const provider = sellingProvider();
  const customerId = provider && (await findCustomerId(user.id, provider.name));
  if (provider === null || customerId === null) return null;
  if (subscription && isUnsure(subscription)) {
    // It may have been paid or canceled meanwhile; then nothing is due.
    await refreshCustomer(user.id);
    const { status, url, isPaymentPending } = await findPayPage(subscription.id);
    if (status !== subscription.status || isPaymentPending) return null;
    if (url !== null) return url;
    if (status !== "incomplete") return null;
  }
  const url = await provider.openPortal({ customerId, returnUrl });
  // After this sync the account page shows why there is no portal.
  if (url === null) await refreshCustomer(user.id);
  return url;
}

function isUnsure({ status, state }: NonNullable<Member["subscription"]>): boolean {
  return state === "unbegun" || (PAID_STATUSES.includes(status) && !ACCESS_KINDS.includes(state));
}
