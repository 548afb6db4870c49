import { join, resolve } from "node:path";
import { btcpayOf } from "./config/btcpay-settings.ts";
import { ccbillOf } from "./config/ccbill-settings.ts";
import { databaseAddresses } from "./config/database-addresses.ts";
import { s3Of } from "./config/s3-settings.ts";
import { demoSecret, splitSecrets } from "./config/session-secret.ts";
import { readSettings } from "./config/settings.ts";
import { parseNetworks } from "./config/trusted-proxies.ts";

/** The demo has no secrets from anyone who can reach it, so only HOST opens it to other machines. */
const DEMO_HOST = "127.0.0.1";
const DEMO_CONTACT_EMAIL = "contact@example.com";
export type Config = ReturnType<typeof parseConfig>;

/** Reads the environment once. Throws a ConfigError whose message has a line for each setting to change. */
export function parseConfig(env: Record<string, string | undefined>) {
  const values = readSettings(env);
  const isDemo = values.APP_URL === undefined;

  const dataDir = resolve(values.DATA_DIR);
  const mediaDir = join(dataDir, "media");
  const s3 = s3Of(values);
  const isBackupOff = values.BACKUP_DIR === "off";
  const { origin, hostname } = new URL(
    values.APP_URL ?? `http://localhost:${values.FRONT_PORT ?? values.PORT}`,
  );
  return {
    /** Demo catalogue, outbox page and plain-http cookies: never with APP_URL. */
    isDemo,
    origin,
    siteName: values.SITE_NAME,
    /** In which the staff reads and writes dates and times. */
    timeZone: values.TIME_ZONE,
    /** Empty until somebody chooses one: the owner's own address must not become public by itself. */
    contactEmail: values.CONTACT_EMAIL ?? (isDemo ? DEMO_CONTACT_EMAIL : ""),
    /** Settings of the studio that the environment decides. */
    setByHost: {
      siteName: Boolean(env.SITE_NAME),
      timeZone: Boolean(env.TIME_ZONE),
      contactEmail: Boolean(env.CONTACT_EMAIL),
    },
    /** In lower case, as sign-ins have it. Becomes the owner while there is none. */
    ownerEmail: values.OWNER_EMAIL?.toLowerCase() ?? null,
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
      trustedNetworks: parseNetworks(values.TRUST_PROXY),
      isSecure: origin.startsWith("https:"),
      /** Everything below the site's host is served over https as well. */
      hasSecureSubdomains: values.HSTS_SUBDOMAINS === "on",
    },
    session: sessionSecrets(values.SESSION_SECRET ?? demoSecret(dataDir)),
    database: {
      ...databaseAddresses(values),
      pool: values.DATABASE_POOL,
      statementMs: values.DATABASE_TIMEOUT_MS,
    },
    media: {
      /** The stored files, unless `s3` has them. */
      dir: mediaDir,
      /** Null without an object store. */
      s3,
      storesIn: s3 === null || s3.isLeft ? ("folder" as const) : ("store" as const),
      /** Uploads, and the copies that programs work on. A rename leads from here into the folder of stored files. */
      workDir: s3 === null ? mediaDir : join(dataDir, "work"),
      keepsOriginals: values.KEEP_ORIGINALS === "on",
      /** Files of videos that a worker makes at a time; none with 0. */
      encodingJobs: values.ENCODING_JOBS,
      /** The limit of one person's uploads that are not imported yet. */
      uploadQuotaBytes: values.UPLOAD_QUOTA_GB * 1e9,
      ffmpeg: values.FFMPEG_PATH,
      ffprobe: values.FFPROBE_PATH,
    },
    mail: {
      smtpUrl: values.SMTP_URL,
      /** Mails stay on the outbox page: only in the demo, and only without a mail server. */
      hasOutbox: isDemo && values.SMTP_URL === undefined,
      from: values.MAIL_FROM ?? { name: values.SITE_NAME, address: `no-reply@${hostname}` },
      /** The sender has the name that the site has at the time. */
      isFromSite: values.MAIL_FROM === undefined,
    },
    billing: {
      /** The site's tag on products, prices and customers, where one account sells for several sites. */
      site: values.BILLING_SITE ?? hostname,
      /** The provider whose stand-in the demo starts. */
      standIn: values.PAYMENTS ?? "stripe",
      stripe:
        values.STRIPE_SECRET_KEY === undefined
          ? null
          : {
              secretKey: values.STRIPE_SECRET_KEY,
              /** The new and the old secret during a rotation. Without any, every event is refused. */
              webhookSecrets: values.STRIPE_WEBHOOK_SECRET?.split(/, */) ?? [],
              apiUrl: values.STRIPE_API_URL,
            },
      ccbill: ccbillOf(values),
      btcpay: btcpayOf(values),
      /** The name of the provider that sells; null where only one is set up. */
      seller: values.BILLING_PROVIDER ?? null,
      hasTax: values.BILLING_TAX === "on",
      graceDays: values.BILLING_GRACE_DAYS,
      /** The charge's text on a card statement; null when the host has not configured it. */
      statement: values.BILLING_STATEMENT ?? null,
    },
    backup: {
      /** Null without nightly backups. */
      dir: values.BACKUP_DIR === undefined || isBackupOff ? null : resolve(values.BACKUP_DIR),
      /** The host backs up by other means. */
      isOff: isBackupOff,
      keep: values.BACKUP_KEEP,
    },
    metrics: {
      /** Opens /metrics from anywhere; null when nobody may read it, or of a demo only this machine. */
      token: values.METRICS_TOKEN ?? null,
    },
    pagesDir: join(dataDir, "pages"),
    dataDir,
    logLevel: values.LOG_LEVEL,
  };
}

export const config: Config = parseConfig(process.env);

function sessionSecrets(setting: string) {
  const [secret = "", oldSecret = null] = splitSecrets(setting);
  return {
    /** Signs new values. Keys for each purpose are derived from it, in domain/keys/keys.server.ts only. */
    secret,
    /** During a rotation, signatures of this secret are still valid. */
    oldSecret,
  };
}
