import { createHmac } from "node:crypto";
import type { WebhookRequest } from "../stand-in/post.ts";
import type { BtcpaySettings } from "./account.ts";
import type { Delivery, Invoice } from "./state.ts";

const WEBHOOK_ID = "stand-in";

export function webhookRequest(
  delivery: Delivery,
  given: { url: string; settings: BtcpaySettings; metadata: Invoice["metadata"]; isForged: boolean },
): WebhookRequest {
  const { url, settings, metadata, isForged } = given;
  const { id, originalId, type, at, invoiceId, own } = delivery;
  const body = JSON.stringify({
    deliveryId: id,
    webhookId: WEBHOOK_ID,
    originalDeliveryId: originalId,
    isRedelivery: id !== originalId,
    type,
    timestamp: at,
    storeId: settings.storeId,
    invoiceId,
    metadata,
    ...own,
  });
  const secret = isForged ? "of somebody else" : settings.webhookSecret;
  const headers = { "content-type": "application/json", "btcpay-sig": signatureOf(body, secret) };
  return { url, body, headers: { ...headers, "user-agent": "BTCPayServer (stand-in)" } };
}

/** The value of the header BTCPay-Sig. */
export function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
