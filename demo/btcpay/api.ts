import { z } from "zod";
import type { Answer, Call } from "../stand-in/call.ts";
import { matchPath } from "../stand-in/match-path.ts";
import { Problem } from "../stand-in/problem.ts";
import type { BtcpayAccount } from "./account.ts";
import { parseAmount } from "./amounts.ts";
import { mark } from "./invoice-life.ts";
import { invoiceView, paymentView, RATE } from "./invoice-view.ts";
import type { Invoice } from "./state.ts";

const USUAL_LIST = 50;
const PERMISSIONS = ["canviewinvoices", "cancreateinvoice"];

const minutes = z.number().positive().max(1_000_000);
const invoiceParams = z.object({
  amount: z.coerce
    .string()
    .max(20)
    .refine((text) => parseAmount(text) !== null, "Amount should be a decimal above 0"),
  currency: z.string().max(5).min(3),
  metadata: z
    .looseObject({ orderId: z.string().max(500).optional(), buyerEmail: z.string().max(500).optional() })
    .default({}),
  checkout: z
    .object({
      speedPolicy: z.enum(["HighSpeed", "MediumSpeed", "LowMediumSpeed", "LowSpeed"]).default("MediumSpeed"),
      expirationMinutes: minutes.default(15),
      monitoringMinutes: minutes.default(1440),
      paymentTolerance: z.number().min(0).max(100).default(0),
      redirectURL: z.string().max(2_000).nullable().default(null),
      redirectAutomatically: z.boolean().default(false),
    })
    .prefault({}),
});
const markParams = z.object({ status: z.enum(["Settled", "Invalid"]) });

interface Route {
  method: "GET" | "POST";
  path: string;
  run: (account: BtcpayAccount, call: Call, id: string) => object;
}

/** Below /api/v1/stores/{storeId}. */
const ROUTES: Route[] = [
  { method: "POST", path: "/invoices", run: createInvoice },
  { method: "GET", path: "/invoices", run: listInvoices },
  { method: "GET", path: "/invoices/:id", run: (account, _, id) => view(account, account.invoice(id)) },
  { method: "GET", path: "/invoices/:id/payment-methods", run: listMethods },
  { method: "POST", path: "/invoices/:id/status", run: markInvoice },
];

export function answerApi(account: BtcpayAccount, call: Call): Answer {
  const { apiKey, storeId } = account.settings;
  if (call.headers.authorization !== `token ${apiKey}`) {
    return problem(401, "unauthenticated", "Authentication is required for accessing this endpoint");
  }
  if (call.method === "GET" && call.path === "/api/v1/api-keys/current") {
    const permissions = PERMISSIONS.map((name) => `btcpay.store.${name}:${storeId}`);
    return json(200, { apiKey, label: "stand-in", permissions });
  }
  const [, store, path = ""] = /^\/api\/v1\/stores\/([^/]+)(\/.*)$/.exec(call.path) ?? [];
  if (store !== undefined && store !== storeId) {
    return problem(403, "missing-permission", "The key has no permission for this store");
  }
  const found = matchPath(ROUTES, call.method, path);
  if (!found) return problem(404, "not-found", "The stand-in does not know this address");
  try {
    return json(200, found.route.run(account, call, found.id));
  } catch (error) {
    if (error instanceof z.ZodError) {
      const errors = error.issues.map(({ path: at, message }) => ({ path: at.join("."), message }));
      return json(422, errors);
    }
    if (error instanceof Problem) return problem(error.status, "invoice-not-found", error.message);
    throw error;
  }
}

/** An answer that was ordered for a call. */
export function refusedCall({ status }: { status: number }): Answer {
  return problem(status, "stand-in", "The stand-in fails, as it was asked to");
}

export function createInvoice(account: BtcpayAccount, { body }: Pick<Call, "body">): object {
  const { checkout, ...given } = invoiceParams.parse(readJson(body));
  const now = account.now();
  const expirationTime = now + checkout.expirationMinutes * 60;
  const invoice: Invoice = {
    id: account.newId(),
    ...given,
    checkout,
    createdTime: now,
    expirationTime,
    monitoringExpiration: expirationTime + checkout.monitoringMinutes * 60,
    status: "New",
    additionalStatus: "None",
    payments: [],
  };
  account.state.invoices[invoice.id] = invoice;
  account.record("InvoiceCreated", invoice.id);
  return view(account, invoice);
}

/** Newest first. */
function listInvoices(account: BtcpayAccount, { query }: Call): object {
  const [orderIds, statuses] = [query.getAll("orderId"), query.getAll("status")];
  const [from, until] = [Number(query.get("startDate") ?? 0), Number(query.get("endDate") ?? Infinity)];
  const skipped = Number(query.get("skip") ?? 0);
  return Object.values(account.state.invoices)
    .filter(({ metadata }) => orderIds.length === 0 || orderIds.includes(metadata.orderId ?? ""))
    .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
    .filter(({ createdTime }) => createdTime >= from && createdTime <= until)
    .toReversed()
    .slice(skipped, skipped + Number(query.get("take") ?? USUAL_LIST))
    .map((invoice) => view(account, invoice));
}

function listMethods(account: BtcpayAccount, _: Call, id: string): object {
  const { payments } = account.invoice(id);
  return ["BTC-CHAIN", "BTC-LN"].map((paymentMethodId) => ({
    paymentMethodId,
    currency: "BTC",
    rate: String(RATE),
    payments: payments.filter(({ method }) => method === paymentMethodId).map(paymentView),
  }));
}

function markInvoice(account: BtcpayAccount, { body }: Call, id: string): object {
  const invoice = account.invoice(id);
  mark(account, invoice, markParams.parse(readJson(body)).status);
  return view(account, invoice);
}

function view(account: BtcpayAccount, invoice: Invoice): object {
  return invoiceView(invoice, { storeId: account.settings.storeId, origin: account.origin });
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function problem(status: number, code: string, message: string): Answer {
  return json(status, { code, message });
}

function json(status: number, body: object): Answer {
  return { status, body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}
