import { z } from "zod";
import { checked } from "./setting-kinds.ts";
import type { Given, Problems } from "./setting-problems.ts";
import { urlProblem } from "./setting-urls.ts";

export const BTCPAY_SETTINGS = {
  BTCPAY_URL: checked((url) => urlProblem(url, ["http", "https"])).optional(),
  BTCPAY_STORE_ID: z
    .string()
    .regex(/^\w{1,64}$/, "must be the id of a store, letters and digits as in the address of its pages")
    .optional(),
  BTCPAY_API_KEY: z
    .string()
    .regex(/^\w{20,128}$/, "must be an API key of your account, at least 20 letters and digits")
    .optional(),
  BTCPAY_WEBHOOK_SECRET: z
    .string()
    .regex(/^\S{16,256}$/, "must be the webhook's secret, at least 16 characters without blanks")
    .optional(),
};

const NEEDED = ["BTCPAY_URL", "BTCPAY_STORE_ID", "BTCPAY_API_KEY", "BTCPAY_WEBHOOK_SECRET"] as const;

type Values = z.infer<z.ZodObject<typeof BTCPAY_SETTINGS>>;

/** Null without its settings. */
export function btcpayOf(values: Values) {
  const [url, storeId, apiKey, webhookSecret] = NEEDED.map((name) => values[name] ?? "") as [
    string,
    string,
    string,
    string,
  ];
  return url === "" ? null : { url: url.replace(/\/+$/, ""), storeId, apiKey, webhookSecret };
}

/** Half of them would sell what is never seen to be paid. */
export function btcpayProblems(given: Given): Problems {
  const problems: Problems = {};
  const missing = NEEDED.filter((name) => given[name] === undefined);
  if (missing.length < NEEDED.length)
    for (const name of missing) problems[name] = "is required with the other settings of BTCPay Server";
  const isSelling = missing.length === 0 && (given.BILLING_PROVIDER ?? "btcpay") === "btcpay";
  if (isSelling && given.BILLING_TAX === "on")
    problems.BILLING_TAX = "cannot be on with BTCPay Server, which adds no taxes";
  if (given.APP_URL !== undefined && given.BTCPAY_URL?.toLowerCase().startsWith("http:"))
    problems.BTCPAY_URL = "must begin with https:// when APP_URL is set, because buyers pay there";
  return problems;
}
