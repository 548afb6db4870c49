import Stripe from "stripe";
import { BadSignature, type EventSubject, type ProviderEvent } from "../provider.ts";
import { dateOf, idOf, isOurs } from "./objects.ts";

const SIGNATURE = "stripe-signature";
/** Anything older is a replay. Source: Stripe's own libraries. */
const TOLERANCE_SECONDS = 300;

type Kind = Exclude<EventSubject["kind"], "none">;

const SUBJECTS: Partial<Record<Stripe.Event.Type, Kind>> = {
  "product.created": "product",
  "product.updated": "product",
  "product.deleted": "product",
  "price.created": "price",
  "price.updated": "price",
  "price.deleted": "price",
  "checkout.session.completed": "checkout",
  "checkout.session.async_payment_succeeded": "checkout",
  "checkout.session.async_payment_failed": "checkout",
  "checkout.session.expired": "checkout",
  "customer.subscription.created": "subscription",
  "customer.subscription.updated": "subscription",
  "customer.subscription.deleted": "subscription",
  "customer.subscription.paused": "subscription",
  "customer.subscription.resumed": "subscription",
  "customer.subscription.trial_will_end": "subscription",
  "invoice.paid": "invoice",
  "invoice.payment_failed": "invoice",
  "invoice.payment_action_required": "invoice",
  "invoice.upcoming": "subscription",
  "charge.refunded": "charge",
  "charge.dispute.created": "dispute",
  "charge.dispute.closed": "dispute",
  "customer.updated": "customer",
  "customer.deleted": "customer",
  "payment_method.attached": "customer",
  "payment_method.updated": "customer",
  "payment_method.detached": "customer",
};

/** The events that the host must enable at Stripe. */
export const STRIPE_EVENTS = Object.keys(SUBJECTS);

/** Several secrets let one be replaced without losing events signed with the other. */
export function parseStripeEvent(
  body: string,
  headers: Headers,
  { secrets, site, receivedAt }: { secrets: string[]; site: string; receivedAt: Date },
): ProviderEvent {
  const event = verified(body, headers.get(SIGNATURE) ?? "", secrets, receivedAt);
  const object: Record<string, unknown> = { ...event.data.object };
  const customerId = customerOf(event, object);
  return {
    id: event.id,
    type: event.type,
    createdAt: dateOf(event.created),
    subject: subjectOf(event, object, customerId),
    customerId,
    isOtherSite: !isOurs(object.metadata as Stripe.Metadata | undefined, site),
  };
}

function verified(body: string, signature: string, secrets: string[], receivedAt: Date): Stripe.Event {
  for (const secret of secrets) {
    try {
      const event = Stripe.webhooks.constructEvent(
        body,
        signature,
        secret,
        TOLERANCE_SECONDS,
        undefined,
        receivedAt.getTime(),
      );
      if (isEvent(event)) return event;
      throw new BadSignature("it is signed, and no event");
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) {
        throw new BadSignature("it is signed, and no event");
      }
    }
  }
  throw new BadSignature("it is not signed with a secret that is known, or too long ago");
}

function isEvent({ id, type, created, data }: Partial<Stripe.Event>): boolean {
  const isNamed = typeof id === "string" && typeof type === "string" && typeof created === "number";
  return isNamed && typeof data?.object === "object" && data.object !== null;
}

function subjectOf(
  event: Stripe.Event,
  object: Record<string, unknown>,
  customerId: string | null,
): EventSubject {
  const kind = SUBJECTS[event.type];
  const id = idIn(event, object, kind, customerId);
  return kind === undefined || id === null ? { kind: "none" } : { kind, id };
}

/** An upcoming invoice has no id; a detached card has no customer any more. */
function idIn(
  event: Stripe.Event,
  object: Record<string, unknown>,
  kind: Kind | undefined,
  customerId: string | null,
): string | null {
  if (event.type === "invoice.upcoming") {
    return idOf(event.data.object.parent?.subscription_details?.subscription);
  }
  if (kind === "customer") return customerId;
  return typeof object.id === "string" ? object.id : null;
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
