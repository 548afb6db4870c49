import { z } from "zod";
import { BTCPAY_SETTINGS, btcpayProblems } from "./btcpay-settings.ts";
import { CCBILL_SETTINGS, ccbillProblems } from "./ccbill-settings.ts";
import { databaseUrlProblem } from "./database-address.ts";
import { addressProblems } from "./database-addresses.ts";
import { asciiAddress, MAILBOX, parseSender, type Sender } from "./mail-addresses.ts";
import { S3_SETTINGS, s3Problems } from "./s3-settings.ts";
import { secretProblem } from "./session-secret.ts";
import { checked, oneOf, path, wholeNumber } from "./setting-kinds.ts";
import {
  ConfigError,
  type Given,
  missingForHosting,
  type Problems,
  quotedValues,
  withoutEmpty,
  wrongValues,
} from "./setting-problems.ts";
import { siteUrlProblem, urlProblem } from "./setting-urls.ts";
import { parseTrustedProxies } from "./trusted-proxies.ts";

const DEFAULT_PORT = 3000;

/** Of each payment provider, the setting without which it is not set up. */
const SET_UP_BY = {
  btcpay: "BTCPAY_URL",
  ccbill: "CCBILL_ACCOUNT",
  stripe: "STRIPE_SECRET_KEY",
} as const;
type ProviderName = keyof typeof SET_UP_BY;
const PROVIDER_NAMES = Object.keys(SET_UP_BY) as ProviderName[];

export const environment = z.object({
  APP_URL: checked(siteUrlProblem).optional(),
  SITE_NAME: z.string().max(60, "must have at most 60 characters").default("Peony"),
  TIME_ZONE: checked(timeZoneProblem).default("UTC"),
  CONTACT_EMAIL: mailbox().optional(),
  OWNER_EMAIL: mailbox().optional(),
  HOST: z.string().optional(),
  PORT: wholeNumber(1, 65_535).default(DEFAULT_PORT),
  FRONT: oneOf(["none", "nginx"]).default("none"),
  FRONT_PORT: wholeNumber(1, 65_535).optional(),
  WEB_PROCESSES: wholeNumber(1, 64).optional(),
  DRAIN_SECONDS: wholeNumber(0, 60).default(0),
  HSTS_SUBDOMAINS: oneOf(["on", "off"]).default("off"),
  TRUST_PROXY: z.string().default("0").transform(parseTrustedProxies),
  SESSION_SECRET: checked(secretProblem).optional(),
  DATABASE_URL: checked(databaseUrlProblem).optional(),
  DATABASE_DIRECT_URL: checked(databaseUrlProblem).optional(),
  DATABASE_PASSWORD: z.string().optional(),
  DATABASE_POOL: wholeNumber(1, 100).default(10),
  DATABASE_TIMEOUT_MS: wholeNumber(100, 60_000).default(2_000),
  DATA_DIR: path().default("data"),
  ...S3_SETTINGS,
  SMTP_URL: checked((url) => urlProblem(url, ["smtp", "smtps"])).optional(),
  MAIL_FROM: z.string().transform(oneSender).optional(),
  PAYMENTS: oneOf(["stripe", "ccbill", "btcpay"]).optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, "must begin with sk_test_, sk_live_, rk_test_ or rk_live_")
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(
      /^whsec_\w+(, *whsec_\w+)?$/,
      "must begin with whsec_; while you replace it, give the new one, a comma and the old one",
    )
    .optional(),
  STRIPE_API_URL: checked((url) => urlProblem(url, ["http", "https"])).optional(),
  ...CCBILL_SETTINGS,
  ...BTCPAY_SETTINGS,
  BILLING_PROVIDER: oneOf(PROVIDER_NAMES).optional(),
  BILLING_SITE: z.string().max(255, "must have at most 255 characters").optional(),
  BILLING_TAX: oneOf(["on", "off"]).default("off"),
  BILLING_GRACE_DAYS: wholeNumber(0, 30).default(0),
  BILLING_STATEMENT: z.string().max(22, "must have at most 22 characters").optional(),
  BACKUP_DIR: path().optional(),
  BACKUP_KEEP: wholeNumber(1, 1_000).default(14),
  KEEP_ORIGINALS: oneOf(["on", "off"]).default("on"),
  ENCODING_JOBS: wholeNumber(0, 16).default(1),
  UPLOAD_QUOTA_GB: wholeNumber(1, 100_000).default(200),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{32,}$/, "must be at least 32 letters and digits; make one with openssl rand -hex 32")
    .optional(),
  FFMPEG_PATH: path().default("ffmpeg"),
  FFPROBE_PATH: path().default("ffprobe"),
  LOG_LEVEL: oneOf(["debug", "info", "warn", "error", "silent"]).default("info"),
});

export function timeZoneProblem(name: string): string | null {
  const problem = "must be the name of a time zone such as Europe/Berlin";
  // Node takes an offset, too, which PostgreSQL reads with the opposite sign.
  if (/^[+-]/.test(name)) return problem;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return null;
  } catch {
    return problem;
  }
}

function mailbox() {
  return z.string().transform(asciiAddress).pipe(z.string().regex(MAILBOX, "must be an email address"));
}

function oneSender(text: string, context: z.RefinementCtx): Sender {
  const sender = parseSender(text);
  if (sender !== null) return sender;
  context.addIssue("must be one email address, or a name without < and > followed by <one address>");
  return z.NEVER;
}

/** Reads every setting and changes nothing. Throws a ConfigError whose message has a line for each setting to change. */
export function readSettings(env: Given): z.infer<typeof environment> {
  const given = withoutEmpty(env);
  const parsed = environment.safeParse(given);
  const problems = {
    ...(given.APP_URL === undefined ? {} : missingForHosting(given)),
    ...redirectedMoney(given),
    ...ccbillProblems(given),
    ...btcpayProblems(given),
    ...s3Problems(given),
    ...unclearSeller(given),
    ...addressProblems(given),
    ...(parsed.success ? {} : wrongValues(parsed.error)),
    ...quotedValues(given, Object.keys(environment.shape)),
  };
  if (!parsed.success || Object.keys(problems).length > 0) throw new ConfigError(problems);
  return parsed.data;
}

const DEMO_ONLY = "is for the demo only; leave it empty when APP_URL is set";

/** A live key may go to Stripe only, and a hosted site must not take purchases through an imitation. */
function redirectedMoney({ PAYMENTS, STRIPE_API_URL, STRIPE_SECRET_KEY, APP_URL }: Given): Problems {
  const isHosted = APP_URL !== undefined;
  const problems: Problems = isHosted && PAYMENTS !== undefined ? { PAYMENTS: DEMO_ONLY } : {};
  if (STRIPE_API_URL === undefined) return problems;
  if (STRIPE_SECRET_KEY?.includes("_live_")) problems.STRIPE_API_URL = "cannot be used with a live key";
  else if (isHosted) problems.STRIPE_API_URL = DEMO_ONLY;
  return problems;
}

/** With several, a host who adds the next one must not find that it sells already. */
function unclearSeller(given: Given): Problems {
  const setUp = PROVIDER_NAMES.filter((name) => given[SET_UP_BY[name]] !== undefined);
  const chosen = PROVIDER_NAMES.find((name) => name === given.BILLING_PROVIDER);
  if (given.BILLING_PROVIDER === undefined && setUp.length > 1)
    return {
      BILLING_PROVIDER: `is required with several payment providers, to say which one sells: ${setUp.join(" or ")}`,
    };
  if (chosen === undefined || setUp.includes(chosen)) return {};
  return { BILLING_PROVIDER: `names a payment provider that is not set up: ${SET_UP_BY[chosen]} is missing` };
}
