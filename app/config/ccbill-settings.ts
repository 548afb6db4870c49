import { z } from "zod";
import { isLoopbackAddress, isWithin, type Network, parseNetwork } from "./addresses.ts";
import { checked } from "./setting-kinds.ts";
import type { Given, Problems } from "./setting-problems.ts";
import { urlProblem } from "./setting-urls.ts";

/** From CCBill's "Webhooks User Guide", as of 2026-05. */
const CCBILL_ADDRESSES = "64.38.212.0/24, 64.38.215.0/24, 64.38.240.0/24, 64.38.241.0/24";
const LOOPBACK = ["127.0.0.1", "::1"];

export const CCBILL_SETTINGS = {
  CCBILL_ACCOUNT: z
    .string()
    .regex(/^9\d{5}-\d{4}$/, "must be the account and the subaccount, such as 900100-0000")
    .optional(),
  CCBILL_FLEX_ID: z.uuid("must be the id of a FlexForm, 32 digits and letters with four hyphens").optional(),
  CCBILL_SALT: z
    .string()
    .regex(/^[\dA-Za-z]{1,32}$/, "must be the subaccount's encryption key, up to 32 letters and digits")
    .optional(),
  CCBILL_DATALINK_USER: z.string().max(64, "must have at most 64 characters").optional(),
  CCBILL_DATALINK_PASSWORD: z.string().max(128, "must have at most 128 characters").optional(),
  CCBILL_WEBHOOK_TOKEN: z
    .string()
    .regex(/^[\w-]{32,128}$/, "must be at least 32 letters and digits; make one with openssl rand -hex 32")
    .optional(),
  CCBILL_WEBHOOK_RANGES: z.string().default(CCBILL_ADDRESSES).transform(parseRanges),
  CCBILL_API_URL: checked((url) => urlProblem(url, ["http", "https"])).optional(),
};

const NEEDED = [
  "CCBILL_ACCOUNT",
  "CCBILL_FLEX_ID",
  "CCBILL_SALT",
  "CCBILL_DATALINK_USER",
  "CCBILL_DATALINK_PASSWORD",
  "CCBILL_WEBHOOK_TOKEN",
] as const;

type Values = z.infer<z.ZodObject<typeof CCBILL_SETTINGS>>;

/** Null without its settings. */
export function ccbillOf(values: Values) {
  const [account, flexId, salt, dataLinkUser, dataLinkPassword, webhookToken] = NEEDED.map(
    (name) => values[name] ?? "",
  ) as [string, string, string, string, string, string];
  if (account === "") return null;
  const [clientAccnum = "", clientSubacc = ""] = account.split("-");
  const login = { dataLinkUser, dataLinkPassword };
  const webhook = { webhookToken, webhookRanges: values.CCBILL_WEBHOOK_RANGES };
  return { clientAccnum, clientSubacc, flexId, salt, ...login, ...webhook, apiUrl: values.CCBILL_API_URL };
}

/** Half of them would sell what can be neither confirmed nor ended, and a hosted site must not sell through an imitation. */
export function ccbillProblems(given: Given): Problems {
  const problems: Problems = {};
  const missing = NEEDED.filter((name) => given[name] === undefined);
  if (missing.length < NEEDED.length)
    for (const name of missing) problems[name] = "is required with the other settings of CCBill";
  const isSelling = missing.length === 0 && (given.BILLING_PROVIDER ?? "ccbill") === "ccbill";
  if (isSelling && given.BILLING_TAX === "on")
    problems.BILLING_TAX = "cannot be on with CCBill, which adds taxes on its own page";
  if (given.APP_URL === undefined) return problems;
  if (given.CCBILL_API_URL !== undefined)
    problems.CCBILL_API_URL = "is for the demo only; leave it empty when APP_URL is set";
  if (networksIn(given.CCBILL_WEBHOOK_RANGES ?? "").some(hasLoopback))
    problems.CCBILL_WEBHOOK_RANGES = "must not contain this machine when APP_URL is set";
  return problems;
}

function parseRanges(text: string, context: z.RefinementCtx): Network[] {
  const networks = networksIn(text);
  if (networks.length === text.split(",").length) return networks;
  context.addIssue("must be addresses and networks such as 64.38.212.0/24, separated by commas");
  return z.NEVER;
}

function networksIn(text: string): Network[] {
  return text.split(",").flatMap((entry) => {
    const network = parseNetwork(entry.trim());
    return network === null ? [] : [network];
  });
}

function hasLoopback(network: Network): boolean {
  const isPart = isLoopbackAddress(network[0].toString());
  return isPart || LOOPBACK.some((address) => isWithin([network], address));
}
