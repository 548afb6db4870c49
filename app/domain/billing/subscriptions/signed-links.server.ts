import { eq } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { isSignatureOf, signText } from "#app/domain/keys/keys.server.ts";
import { paths } from "#app/paths.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type OwnSubscription, selectOwn } from "./own-subscription.server.ts";

const ID = /^[!-~]{1,255}$/;

/** Valid as long as the owner is the same. */
export function cancelLink(subscription: OwnSubscription): string {
  return new URL(paths.cancel(queryOf(subscription)), config.origin).href;
}

/** Has the same signature as cancelLink(): its holder may end the subscription in either way. */
export function withdrawLink(subscription: OwnSubscription): string {
  return new URL(paths.withdraw(queryOf(subscription)), config.origin).href;
}

function queryOf(subscription: OwnSubscription) {
  return { subscription: subscription.id, signature: signText("cancel-link", factsOf(subscription)) };
}

export async function findBySignature(
  subscriptionId: string,
  signature: string,
): Promise<OwnSubscription | null> {
  if (!ID.test(subscriptionId)) return null;
  const [own] = await selectOwn().where(eq(subscriptions.id, subscriptionId));
  return own !== undefined && isSignatureOf("cancel-link", factsOf(own), signature) ? own : null;
}

function factsOf({ id, userId }: OwnSubscription): string {
  return JSON.stringify([id, userId]);
}
