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
  timestamp: z.int().min(0).max(1e11),
  storeId: text.optional(),
  metadata: z.object({ orderId: z.unknown().optional() }).nullish(),
});

/** After these, the pages of their purchase are read again. For the host to choose at BTCPay. */
export const EVENTS = [
  "InvoiceReceivedPayment",
  "InvoiceProcessing",
  "InvoicePaymentSettled",
  "InvoiceSettled",
  "InvoiceExpired",
  "InvoiceExpiredPaidPartial",
  "InvoicePaidAfterExpiration",
  "InvoiceInvalid",
];
/** What we ordered ourselves. */
const CREATED = "InvoiceCreated";

/** BTCPay signs what it sends. An event is a hint: what it says of a payment is not kept, and read again instead. */
export function receiveBtcpayCall(call: ProviderCall, settings: BtcpaySettings): ReceivedCall {
  const given = call.headers.get("btcpay-sig") ?? "";
  if (!isSameSecret(given, signatureOf(call.body, settings.webhookSecret))) return { refused: "signature" };
  const parsed = body.safeParse(jsonOf(call.body));
  if (!parsed.success) return { refused: "form" };
  const { originalDeliveryId, type, timestamp, storeId, metadata } = parsed.data;
  if (storeId !== settings.storeId) return { refused: "account" };
  const order = z.uuid().safeParse(metadata?.orderId);
  // Without one it is an invoice of the host's own, who may sell other things in the store.
  const subject =
    EVENTS.includes(type) && order.success ? ({ kind: "checkout", id: order.data } as const) : null;
  return {
    event: {
      // A redelivery has another id of its own.
      id: ourId(BTCPAY, `event:${originalDeliveryId}`),
      type,
      createdAt: new Date(timestamp * 1_000),
      subject,
      customerId: null,
      isOtherSite: false,
      // The store may also report payouts and other things that nothing here depends on.
      isUnknown: type.startsWith("Invoice") && type !== CREATED && !EVENTS.includes(type),
    },
    facts: [],
  };
}

/** The value of the header. */
export function signatureOf(sent: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(sent).digest("hex")}`;
}

function jsonOf(sent: string): unknown {
  try {
    return JSON.parse(sent);
  } catch {
    return null;
  }
}
