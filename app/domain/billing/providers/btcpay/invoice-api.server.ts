import { z } from "zod";
import { Outage } from "../calls/faults.ts";
import { OrderRefused, ProviderUnreachable } from "../contract/provider.ts";
import type { BtcpaySettings } from "./settings.ts";

const TIMEOUT_MS = 8_000;
const PAGE = 100;
export const NO_ANSWER = "BTCPay Server does not answer. Try again later.";

const text = z.string().max(1_000, { abort: true });
/** In seconds since 1970. */
const time = z.number().transform((seconds) => new Date(seconds * 1_000));

/** From BTCPay's "Greenfield API", as of 2026-07; older versions do not say how much was paid. */
const invoice = z.object({
  id: text,
  /** In the currency's own decimals. A page on which the buyer chooses the amount has none. */
  amount: text.nullish(),
  paidAmount: text.nullish(),
  currency: text.transform((code) => code.toLowerCase()),
  status: z.enum(["New", "Processing", "Settled", "Expired", "Invalid"]),
  /** Such as PaidPartial, PaidLate, PaidOver or Marked, which is by hand. */
  additionalStatus: text,
  createdTime: time,
  expirationTime: time,
  checkoutLink: text,
  /** Of the host's other invoices it can be anything. */
  metadata: z.object({ orderId: z.unknown().optional() }).nullish(),
});
const payment = z.object({ receivedDate: time, status: text });
const invoices = z.array(invoice);
const methods = z.array(z.object({ payments: z.array(payment).nullish() }));
const key = z.object({ permissions: z.array(text) });

export type BtcpayInvoice = z.infer<typeof invoice>;
export type BtcpayPayment = z.infer<typeof payment>;

interface Wanted {
  orderId: string;
  /** Decimals. */
  amount: string;
  currency: string;
  redirectURL: string;
  expirationMinutes: number;
}

export interface InvoiceApi {
  create(wanted: Wanted): Promise<BtcpayInvoice>;
  listOf(orderId: string): Promise<BtcpayInvoice[]>;
  /** All that were made since then. */
  listSince(from: Date): Promise<BtcpayInvoice[]>;
  /** Without those that were replaced or spent elsewhere. */
  listPayments(invoiceId: string): Promise<BtcpayPayment[]>;
  /** What the key may do, such as btcpay.store.canviewinvoices:<store>. */
  listPermissions(): Promise<string[]>;
}

export function btcpayInvoiceApi(settings: BtcpaySettings): InvoiceApi {
  const store = `/stores/${encodeURIComponent(settings.storeId)}/invoices`;
  const ask = <Schema extends z.ZodType>(path: string, schema: Schema, body?: object) =>
    request(settings, { path, body }, schema);
  const list = (query: Record<string, string>) => ask(`${store}?${new URLSearchParams(query)}`, invoices);
  return {
    create: ({ orderId, amount, currency, ...checkout }) =>
      ask(store, invoice, {
        amount,
        currency: currency.toUpperCase(),
        metadata: { orderId },
        checkout: { ...checkout, redirectAutomatically: true },
      }),
    listOf: (orderId) => list({ orderId }),
    listSince: async (from) => {
      const startDate = String(Math.floor(from.getTime() / 1_000));
      const all: BtcpayInvoice[] = [];
      // One that is made meanwhile moves the others on, so that the last of a page comes twice, and none is left out.
      for (let page = PAGE; page === PAGE; ) {
        const found = await list({ startDate, take: String(PAGE), skip: String(all.length) });
        all.push(...found);
        page = found.length;
      }
      return all;
    },
    listPayments: async (id) => {
      const paid = await ask(`${store}/${encodeURIComponent(id)}/payment-methods`, methods);
      return paid.flatMap(({ payments }) => payments ?? []);
    },
    listPermissions: async () => (await ask("/api-keys/current", key)).permissions,
  };
}

async function request<Schema extends z.ZodType>(
  { url, apiKey }: BtcpaySettings,
  { path, body }: { path: string; body: object | undefined },
  schema: Schema,
): Promise<z.infer<Schema>> {
  const headers = { authorization: `token ${apiKey}`, "content-type": "application/json" };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const sent = body === undefined ? { method: "GET" } : { method: "POST", body: JSON.stringify(body) };
  const asked = fetch(`${url}/api/v1${path}`, { ...sent, headers, signal, redirect: "error" });
  const answer = await asked.catch(() => null);
  if (answer === null) throw new Outage(NO_ANSWER);
  if (!answer.ok) throw failure(answer.status, body !== undefined);
  const read = schema.safeParse(await answer.json().catch(() => null));
  if (!read.success) throw new Outage("BTCPay Server's answer cannot be read. Try again later.");
  return read.data;
}

/** Without what the answer says, which may quote the order. */
function failure(status: number, isOrder: boolean): Error {
  if (status === 401)
    return new ProviderUnreachable("BTCPay Server rejects BTCPAY_API_KEY. Correct it and restart the site.");
  if (status === 403)
    return new ProviderUnreachable(
      "BTCPAY_API_KEY may not use the store BTCPAY_STORE_ID, or not its invoices. Correct them and restart the site.",
    );
  if (status === 404)
    return new ProviderUnreachable("BTCPay Server does not know the store BTCPAY_STORE_ID at BTCPAY_URL.");
  if (isOrder && status === 422) return new OrderRefused("BTCPay Server refused an order as not valid.");
  if (isOrder && status === 400)
    return new ProviderUnreachable("BTCPay Server cannot take orders. Has the store a wallet?");
  return new Outage(`BTCPay Server answered with an error (${status}). Try again later.`);
}
