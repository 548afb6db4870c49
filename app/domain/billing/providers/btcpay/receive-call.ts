import { createHmac } from "node:crypto";
import { z } from "zod";
import { isSameSecret } from "#app/domain/keys/keys.server.ts";
import type { ProviderCall, ReceivedCall } from "../contract/events.ts";
import { ourId } from "../contract/facts.ts";
import { BTCPAY, type BtcpaySettings } from "./settings.ts";

const text = z.string().max(255, { abort: true });
const body = z.object({
  originalDeliveryId: text,
  type: text.regex(/^\w+$/),
  /** In seconds since 1970. */
  timestamp: z.number(),
  storeId: text.optional(),
  metadata: z.object({ orderId: z.unknown().optional() }).nullish(),
});

/** True for those after which the pages of their purchase are read again. */
const KINDS: Record<string, boolean> = {
  InvoiceCreated: false,
  InvoiceReceivedPayment: true,
  InvoiceProcessing: true,
  InvoicePaymentSettled: true,
  InvoiceSettled: true,
  InvoiceExpired: true,
  InvoiceExpiredPaidPartial: true,
  InvoicePaidAfterExpiration: true,
  InvoiceInvalid: true,
};

/** BTCPay signs what it sends. An event is a hint: what it says of a payment is not kept, and read again instead. */
export function receiveBtcpayCall(call: ProviderCall, settings: BtcpaySettings): ReceivedCall {
  const given = call.headers.get("btcpay-sig") ?? "";
  if (!isSameSecret(given, signatureOf(call.body, settings.webhookSecret))) return { refused: "signature" };
  const parsed = body.safeParse(jsonOf(call.body));
  if (!parsed.success) return { refused: "form" };
  const { originalDeliveryId, type, timestamp, storeId, metadata } = parsed.data;
  if (storeId !== settings.storeId) return { refused: "account" };
  const isKnown = Object.hasOwn(KINDS, type);
  const order = z.uuid().safeParse(metadata?.orderId);
  // Without one it is an invoice of the host's own, who may sell other things in the store.
  const subject = KINDS[type] && order.success ? ({ kind: "checkout", id: order.data } as const) : null;
  return {
    event: {
      // A redelivery has another id of its own.
      id: ourId(BTCPAY, `event:${originalDeliveryId}`),
      type,
      createdAt: new Date(timestamp * 1_000),
      subject: isKnown ? subject : null,
      customerId: null,
      isOtherSite: false,
      isUnknown: !isKnown,
    },
    facts: [],
  };
}

/** The value of the header. */
export function signatureOf(sent: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(sent).digest("hex")}`;
}

/** For the host to choose at BTCPay. */
export const EVENTS = Object.keys(KINDS).filter((kind) => KINDS[kind]);

function jsonOf(sent: string): unknown {
  try {
    return JSON.parse(sent);
  } catch {
    return null;
  }
}
