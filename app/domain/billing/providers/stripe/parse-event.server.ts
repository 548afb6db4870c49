import Stripe from "stripe";
import type { EventSubject, ProviderCall, ReceivedCall } from "../contract/events.ts";
import { dateOf, idOf, isOfOtherSite } from "./objects.ts";

const SIGNATURE = "stripe-signature";
/** Anything older is a replay. Source: Stripe's own libraries. */
const TOLERANCE_SECONDS = 300;

type Kind = Exclude<EventSubject["kind"], "facts">;

/** The object to fetch after an event. A card's events are about its customer. */
const EVENTS: Record<Kind, Stripe.Event.Type[]> = {
  product: ["product.created", "product.updated", "product.deleted"],
  price: ["price.created", "price.updated", "price.deleted"],
  checkout: [
    "checkout.session.completed",
    "checkout.session.async_payment_succeeded",
    "checkout.session.async_payment_failed",
    "checkout.session.expired",
  ],
  subscription: [
    "customer.subscription.created",
    "customer.subscription.updated",
    "customer.subscription.deleted",
    "customer.subscription.paused",
    "customer.subscription.resumed",
    "customer.subscription.trial_will_end",
    "invoice.upcoming",
  ],
  invoice: [
    "invoice.paid",
    "invoice.payment_failed",
    "invoice.payment_action_required",
    "invoice.finalized",
    "invoice.voided",
    "invoice.marked_uncollectible",
  ],
  charge: ["charge.refunded"],
  dispute: ["charge.dispute.created", "charge.dispute.closed"],
  customer: [
    "customer.updated",
    "customer.deleted",
    "payment_method.attached",
    "payment_method.updated",
    "payment_method.detached",
  ],
};

/** The events that the host must enable at Stripe. */
export const STRIPE_EVENTS = Object.values(EVENTS).flat();
const KINDS = Object.keys(EVENTS) as Kind[];

/** Several secrets let one be replaced without losing events signed with the other. */
export function receiveStripeEvent(call: ProviderCall, secrets: string[]): ReceivedCall {
  const event = verified(call, secrets);
  if (event === null) return { refused: "signature" };
  if (!isEvent(event)) return { refused: "form" };
  const object: Record<string, unknown> = { ...event.data.object };
  const customerId = customerOf(event, object);
  return {
    event: {
      id: event.id,
      type: event.type,
      createdAt: dateOf(event.created),
      subject: subjectOf(event, object, customerId),
      customerId,
      isOtherSite: isOfOtherSite(object.metadata as Stripe.Metadata | undefined),
    },
    facts: [],
  };
}

function verified({ body, headers, at }: ProviderCall, secrets: string[]): Stripe.Event | null {
  const signature = headers.get(SIGNATURE) ?? "";
  for (const secret of secrets) {
    try {
      return Stripe.webhooks.constructEvent(
        body,
        signature,
        secret,
        TOLERANCE_SECONDS,
        undefined,
        at.getTime(),
      );
    } catch {
      // Another secret may have signed it.
    }
  }
  return null;
}

/** Signed text may still be anything. */
function isEvent({ id, type, created, data }: Partial<Stripe.Event>): boolean {
  const isNamed = typeof id === "string" && typeof type === "string" && typeof created === "number";
  return isNamed && typeof data?.object === "object" && data.object !== null;
}

/** An upcoming invoice has no id, and a detached card no longer has a customer. */
function subjectOf(
  event: Stripe.Event,
  object: Record<string, unknown>,
  customerId: string | null,
): EventSubject | null {
  const kind = KINDS.find((one) => EVENTS[one].includes(event.type));
  let id = kind === "customer" ? customerId : object.id;
  if (event.type === "invoice.upcoming") {
    id = idOf(event.data.object.parent?.subscription_details?.subscription);
  }
  return kind !== undefined && typeof id === "string" ? { kind, id } : null;
}

function customerOf(event: Stripe.Event, object: Record<string, unknown>): string | null {
  if (event.type === "customer.updated" || event.type === "customer.deleted") return event.data.object.id;
  if (event.type === "payment_method.detached") {
    const before = event.data.previous_attributes as { customer?: string | null } | undefined;
    return before?.customer ?? null;
  }
  const customer = object.customer as string | { id: string } | null | undefined;
  return idOf(customer);
}
