import { and, desc, eq, ne } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { invoices } from "#db/schema/billing.ts";
import { dayWords } from "./day-words.ts";
import { moneyWords } from "./money-words.ts";

const SHOWN = 100;

export interface InvoiceView {
  id: string;
  number: string | null;
  /** "21 November 2026" */
  date: string;
  sum: string;
  state: "paid" | "partlyRefunded" | "refunded" | "open" | "uncollectible" | "void";
  /** "$5.00"; null when nothing was paid back. */
  refunded: string | null;
  /** The provider's page to see it, or to pay it while it is open, and its PDF. */
  pageUrl: string | null;
  pdfUrl: string | null;
}

/** A person's invoices, newest first. */
export async function listInvoices(userId: string): Promise<InvoiceView[]> {
  const rows = await db
    .select()
    .from(invoices)
    .where(and(eq(invoices.userId, userId), ne(invoices.status, "draft")))
    .orderBy(desc(invoices.createdAt), desc(invoices.id))
    .limit(SHOWN);
  return rows.map(viewOf);
}

function viewOf(invoice: typeof invoices.$inferSelect): InvoiceView {
  const { id, number, currency, total, amountRefunded, hostedUrl, pdfUrl, createdAt } = invoice;
  return {
    id,
    number,
    date: dayWords(createdAt),
    sum: moneyWords(total, currency),
    state: stateOf(invoice),
    refunded: amountRefunded > 0 ? moneyWords(amountRefunded, currency) : null,
    pageUrl: hostedUrl,
    pdfUrl,
  };
}

function stateOf({ status, amountPaid, amountRefunded }: typeof invoices.$inferSelect): InvoiceView["state"] {
  if (status !== "paid") return status === "draft" ? "open" : status;
  if (amountRefunded === 0) return "paid";
  return amountRefunded >= amountPaid ? "refunded" : "partlyRefunded";
}
