import { DAY_SECONDS } from "../stand-in/clock.ts";
import type { CcbillAccount } from "./account.ts";
import { dateOf, parseDigits, timestampOf } from "./arizona-time.ts";
import { isOwnSubaccount, refuseLogin } from "./data-link.ts";
import type { Entry } from "./state.ts";
import { emailOf, statusOf } from "./subscription-life.ts";

const REST_SECONDS = 3_600;
const NOTHING = "1";

/** Answers main.cgi: lines of CSV about a day at most, once an hour. */
export function answerExtract(account: CcbillAccount, params: URLSearchParams): string {
  if (refuseLogin(account, params) !== null) return "Error: Authentication failed.";
  if (!isOwnSubaccount(account, params)) return "Error: Invalid subaccount.";
  const [start, end] = [parseDigits(params.get("startTime") ?? ""), parseDigits(params.get("endTime") ?? "")];
  const types = (params.get("transactionTypes") ?? "").split(",").filter(Boolean);
  if (start === null || end === null || end < start || types.length === 0) return "Error: Invalid arguments.";
  if (end - start > DAY_SECONDS) return "Error: The time window is longer than 24 hours.";
  const last = account.state.lastExtractAt;
  if (last !== null && account.now() - last < REST_SECONDS) return "Error: Only one request in 60 minutes.";
  account.state.lastExtractAt = account.now();
  account.changed();
  const rows = account.state.ledger
    .filter(({ kind, at }) => types.includes(kind) && at >= start && at <= end)
    .map((entry) => csvLine(rowOf(account, entry)));
  return rows.length === 0 ? NOTHING : `${rows.join("\n")}\n`;
}

function rowOf(account: CcbillAccount, { kind, at, subscriptionId, transactionId, amount }: Entry): string[] {
  const { clientAccnum, clientSubacc } = account.settings;
  const begin = [kind, clientAccnum, clientSubacc, subscriptionId];
  if (kind === "NEW") return [...begin, timestampOf(at), ...saleOf(account, subscriptionId)];
  if (kind === "REBILL") return [...begin, dateOf(at), transactionId, amount];
  return kind === "EXPIRE" ? [...begin, dateOf(at)] : [...begin, dateOf(at), amount];
}

function saleOf(account: CcbillAccount, id: string): string[] {
  const subscription = account.subscription(id);
  const { person, order } = subscription;
  const { initialPrice, initialPeriod, recurring } = order;
  return [
    ...[
      person.firstName ?? "",
      person.lastName ?? "",
      emailOf(subscription),
      "",
      String(statusOf(subscription)),
    ],
    ...[initialPrice, String(initialPeriod), recurring?.price ?? "0.00", String(recurring?.period ?? 0)],
    ...[recurring ? "1" : "0", "VISA"],
  ];
}

function csvLine(cells: string[]): string {
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
}
