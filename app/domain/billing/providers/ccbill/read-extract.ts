import { type Fact, ourId, type ToldFact } from "../contract/facts.ts";
import { arizonaDay, daysLater, endOfNamedDay, parseArizonaTime } from "./arizona-time.ts";
import { expired, renewal, returned } from "./event-facts.ts";
import { parseAmount } from "./money.ts";
import { parseCsvLine } from "./parse-answer.ts";
import { CCBILL, type CcbillSettings } from "./settings.ts";

export type Sale = Extract<Fact, { kind: "sale" }>;

export interface ExtractRow {
  kind: string;
  subscriptionId: string;
  at: Date;
  /** The two columns after the date; none of a sale, where they are names. */
  rest: string[];
}

export interface FeedRows {
  rows: ExtractRow[];
  /** Of other subaccounts, which are other sites, and lines that cannot be read. */
  skipped: number;
}

/** The whole answer when nothing happened. */
const NOTHING = "1";
const RETURNS = { REFUND: "refund", VOID: "void", CHARGEBACK: "chargeback" } as const;
const SECOND_MS = 1_000;

/** Null while CCBill wants to be left alone: it allows one request in 60 minutes. */
export function readExtract(text: string, settings: CcbillSettings, until: Date): FeedRows | null {
  const body = text.trim();
  if (/^"?Error:.*60/i.test(body)) return null;
  if (body === NOTHING || body === "") return { rows: [], skipped: 0 };
  const lines = body.split(/\r?\n/);
  const rows = lines.flatMap((line) => readRow(line, settings, until) ?? []);
  return { rows, skipped: lines.length - rows.length };
}

/** The extract names neither the currency nor the period, which the sale has said. */
export function factOfRow({ kind, subscriptionId, at, rest }: ExtractRow, { terms }: Sale): ToldFact | null {
  if (kind === "EXPIRE") return expired(subscriptionId, at);
  const [first = "", second = ""] = rest;
  const amount = parseAmount(kind === "REBILL" ? second : first);
  if (amount === null) return null;
  const money = { amount, currency: terms.currency };
  if (kind === "REBILL") {
    if (!/^\d{1,20}$/.test(first)) return null;
    const transactionId = ourId(CCBILL, first);
    const paidUntil = endOfNamedDay(daysLater(at, terms.renewal?.intervalCount ?? 0));
    return renewal({ subscriptionId, transactionId, paid: money, paidUntil, method: null }, at);
  }
  const how = Object.hasOwn(RETURNS, kind) ? RETURNS[kind as keyof typeof RETURNS] : null;
  return how && returned({ subscriptionId, transactionId: null, amount: money, how }, at);
}

function readRow(line: string, settings: CcbillSettings, until: Date): ExtractRow | null {
  const [kind = "", account, subaccount, id = "", date = "", ...rest] = parseCsvLine(line) ?? [];
  const isOurs = account === settings.clientAccnum && subaccount === settings.clientSubacc;
  const begins = parseArizonaTime(date);
  if (!isOurs || begins === null || !/^\d{1,20}$/.test(id)) return null;
  const columns = kind === "NEW" ? [] : rest.slice(0, 2);
  return { kind, subscriptionId: ourId(CCBILL, id), at: within(begins, until), rest: columns };
}

/** A day without a time: what happened in the course of it was after any sale of that day. */
function within(begins: Date, until: Date): Date {
  if (begins.getTime() !== parseArizonaTime(arizonaDay(begins))?.getTime()) return begins;
  const end = daysLater(begins, 1).getTime() - SECOND_MS;
  return new Date(Math.max(begins.getTime(), Math.min(end, until.getTime())));
}
