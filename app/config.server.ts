import { join, resolve } from "node:path";
import { z } from "zod";
import { asciiAddress, asciiSender, MAILBOX } from "./config/mail-addresses.ts";
import { demoSecret, secretProblem, splitSecrets } from "./config/session-secret.ts";
import {
  ConfigError,
  type Given,
  missingForHosting,
  type Problems,
  withoutEmpty,
  wrongValues,
} from "./config/setting-problems.ts";
import { parseTrustedProxies } from "./config/trusted-proxies.ts";

const DEFAULT_PORT = 3000;
/** The demo has no secrets from anyone who can reach it, so only HOST opens it to other machines. */
const DEMO_HOST = "127.0.0.1";
const DEMO_CONTACT_EMAIL = "contact@example.com";
const SENDER = /^(?:[^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

export const environment = z.object({
  APP_URL: z.url("must be the address of the site, which begins with https://").optional(),
  SITE_NAME: z.string().min(1).max(60).default("Peony"),
  CONTACT_EMAIL: z
    .string()
    .transform(asciiAddress)
    .pipe(z.string().regex(MAILBOX, "must be a mail address"))
    .optional(),
  HOST: z.string().optional(),
  PORT: z.coerce.number().int().min(1).max(65_535).default(DEFAULT_PORT),
  FRONT: z.enum(["none", "nginx"]).default("none"),
  FRONT_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  WEB_PROCESSES: z.coerce.number().int().min(1).max(64).optional(),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(60).default(0),
  TRUST_PROXY: z.string().default("0").transform(parseTrustedProxies),
  SESSION_SECRET: z
    .string()
    .superRefine((setting, context) => {
      const problem = secretProblem(setting);
      if (problem !== null) context.addIssue(problem);
    })
    .optional(),
  DATABASE_URL: z
    .url()
    .regex(/^postgres(ql)?:\/\//, "must begin with postgres://")
    .optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(100).default(10),
  DATABASE_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(2_000),
  DATA_DIR: z.string().default("data"),
  SMTP_URL: z
    .url()
    .regex(/^smtps?:\/\//, "must begin with smtp:// or smtps://")
    .optional(),
  MAIL_FROM: z
    .string()
    .transform(asciiSender)
    .pipe(z.string().regex(SENDER, "must be a mail address, or a name and <an address>"))
    .optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, "must begin with sk_test_, sk_live_, rk_test_ or rk_live_")
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+(, *whsec_\w+)?$/, "must begin with whsec_; while one is replaced, two with a comma")
    .optional(),
  STRIPE_API_URL: z
    .url()
    .regex(/^https?:\/\//, "must begin with http:// or https://")
    .optional(),
  BILLING_SITE: z.string().min(1).max(255).optional(),
  BILLING_TAX: z.enum(["on", "off"]).default("off"),
  BILLING_GRACE_DAYS: z.coerce.number().int().min(0).max(30).default(0),
  BILLING_STATEMENT: z.string().max(22).optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_KEEP: z.coerce.number().int().min(1).max(1_000).default(14),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{32,}$/, "must be at least 32 letters and digits; make one with openssl rand -hex 32")
    .optional(),
  FFMPEG_PATH: z.string().default("ffmpeg"),
  FFPROBE_PATH: z.string().default("ffprobe"),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
});

export type Config = ReturnType<typeof parseConfig>;

/** Reads the environment once. Throws a ConfigError whose message has a line for each setting to change. */
export function parseConfig(env: Record<string, string | undefined>) {
  const given = withoutEmpty(env);
  const isDemo = given.APP_URL === undefined;
  const parsed = environment.safeParse(given);
  const problems = {
    ...(isDemo ? {} : missingForHosting(given)),
    ...redirectedMoney(given),
    ...(parsed.success ? {} : wrongValues(parsed.error)),
  };
  if (!parsed.success || Object.keys(problems).length > 0) throw new ConfigError(problems);
  const values = parsed.data;

  const dataDir = resolve(values.DATA_DIR);
  const { origin, hostname } = new URL(
    values.APP_URL ?? `http://localhost:${values.FRONT_PORT ?? values.PORT}`,
  );
  return {
    /** Demo catalogue, outbox page and plain-http cookies: never with APP_URL. */
    isDemo,
    origin,
    siteName: values.SITE_NAME,
    contactEmail: values.CONTACT_EMAIL ?? DEMO_CONTACT_EMAIL,
    web: {
      /** All addresses when undefined. */
      host: values.HOST ?? (isDemo ? DEMO_HOST : undefined),
      port: values.PORT,
      /** nginx listens on the port, and passes requests on to the web processes. */
      hasFront: values.FRONT === "nginx",
      processes: values.WEB_PROCESSES,
      /** For which a stopping copy goes on serving, while its balancer learns of it from /healthz. */
      drainSeconds: values.DRAIN_SECONDS,
      trustedProxies: values.TRUST_PROXY,
      isSecure: origin.startsWith("https:"),
    },
    session: sessionSecrets(values.SESSION_SECRET ?? demoSecret(dataDir)),
    database: {
      url: values.DATABASE_URL,
      pool: values.DATABASE_POOL,
      statementMs: values.DATABASE_TIMEOUT_MS,
    },
    media: { dir: join(dataDir, "media"), ffmpeg: values.FFMPEG_PATH, ffprobe: values.FFPROBE_PATH },
    mail: {
      smtpUrl: values.SMTP_URL,
      /** Mails stay on the outbox page: only in the demo, and only without a mail server. */
      hasOutbox: isDemo && values.SMTP_URL === undefined,
      from: values.MAIL_FROM ?? `${JSON.stringify(values.SITE_NAME)} <no-reply@${hostname}>`,
    },
    billing: {
      /** The site's tag on products, prices and customers, where one account sells for several sites. */
      site: values.BILLING_SITE ?? hostname,
      stripe:
        values.STRIPE_SECRET_KEY === undefined
          ? null
          : {
              secretKey: values.STRIPE_SECRET_KEY,
              /** The new and the old secret during a rotation. Without any, every event is refused. */
              webhookSecrets: values.STRIPE_WEBHOOK_SECRET?.split(/, */) ?? [],
              apiUrl: values.STRIPE_API_URL,
            },
      hasTax: values.BILLING_TAX === "on",
      graceDays: values.BILLING_GRACE_DAYS,
      /** The charge's text on a card statement; null when the host has not configured it. */
      statement: values.BILLING_STATEMENT ?? null,
    },
    backup: {
      /** Null without nightly backups. */
      dir: values.BACKUP_DIR === undefined ? null : resolve(values.BACKUP_DIR),
      keep: values.BACKUP_KEEP,
    },
    metrics: {
      /** Opens /metrics from anywhere; null when only this machine may read it. */
      token: values.METRICS_TOKEN ?? null,
    },
    pagesDir: join(dataDir, "pages"),
    dataDir,
    logLevel: values.LOG_LEVEL,
  };
}

export const config: Config = parseConfig(process.env);

/** A live key may go to Stripe only, and a hosted site must not take purchases through an imitation. */
function redirectedMoney({ STRIPE_API_URL, STRIPE_SECRET_KEY, APP_URL }: Given): Problems {
  if (STRIPE_API_URL === undefined) return {};
  if (STRIPE_SECRET_KEY?.includes("_live_")) return { STRIPE_API_URL: "cannot be used with a live key" };
  if (APP_URL === undefined) return {};
  return { STRIPE_API_URL: "is for the demo only; leave it empty when APP_URL is set" };
}

function sessionSecrets(setting: string) {
  const [secret = "", oldSecret = null] = splitSecrets(setting);
  return {
    /** Signs new values. Keys for each purpose are derived from it, in domain/keys/keys.server.ts only. */
    secret,
    /** During a rotation, signatures of this secret are still valid. */
    oldSecret,
  };
}
