import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits, users } from "#db/schema/auth.ts";
import { siteSettings } from "#db/schema/site.ts";
import { endProcess } from "#tests/support/process/end-process.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import type { Site } from "../site.ts";
import { CANARIES } from "./planted.ts";

export const STARTS_WITHIN_MS = 90_000;

export interface RealSite extends Site {
  port: number;
}

const {
  userAgent,
  referrer,
  authorization,
  forwarded,
  webhookSecret,
  stripeKey,
  sessionSecret,
  smtpPassword,
} = CANARIES;

export const smtp = new SMTPServer({
  disabledCommands: ["STARTTLS"],
  authOptional: true,
  onAuth: (_auth, _session, done) => done(null, { user: "site" }),
  onRcptTo({ address }, _session, done) {
    done(Object.assign(new Error(`No mailbox ${address}, says ${smtpPassword}`), { responseCode: 550 }));
  },
});
// A site that ends in the middle of an email resets the connection.
smtp.on("error", () => {});
smtp.listen(0, "127.0.0.1");
await once(smtp.server, "listening");
const smtpPort = (smtp.server.address() as AddressInfo).port;

/** A host's site has its own address, behind a proxy, and calls the real payment provider, which it cannot reach here. */
export const HOSTED = {
  APP_URL: "https://peony.example",
  CONTACT_EMAIL: "contact@peony.example",
  TRUST_PROXY: "1",
  STRIPE_API_URL: "",
  NODE_OPTIONS: `--import ${new URL("../process/no-outside.mjs", import.meta.url).href}`,
};

/** Starts supervisor, web processes and worker as npm start does, after deleting an earlier site's data. */
export async function startRealSite(
  databaseUrl: string,
  env: Partial<typeof HOSTED> & { FRONT?: "nginx" },
): Promise<RealSite> {
  const port = await findTestPort();
  let output = "";
  await rm(join(config.dataDir, "real-site"), { force: true });
  await Promise.all([db.delete(siteSettings), db.delete(users), db.delete(rateLimits)]);
  await db.execute(sql`DELETE FROM graphile_worker._private_jobs`);
  const child: ChildProcess = spawn(process.execPath, ["build/scripts/supervise.js"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      HOST: "127.0.0.1",
      PORT: String(port),
      WEB_PROCESSES: "2",
      LOG_LEVEL: "debug",
      DATABASE_URL: databaseUrl,
      // A lost connection may be found only by this limit, and the outage must be shown before the test gives up.
      DATABASE_TIMEOUT_MS: "8000",
      DATA_DIR: config.dataDir,
      SESSION_SECRET: sessionSecret,
      SMTP_URL: `smtp://site:${smtpPassword}@127.0.0.1:${smtpPort}`,
      STRIPE_SECRET_KEY: stripeKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: "http://127.0.0.1:1",
      ...env,
    },
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const address = `http://127.0.0.1:${port}`;
  const origin = env.APP_URL ?? address;
  const common = {
    "user-agent": `Mozilla/5.0 ${userAgent}`,
    referer: `${origin}/${referrer}`,
    "x-forwarded-for": forwarded,
    ...(env.APP_URL === undefined ? {} : { "x-forwarded-host": new URL(env.APP_URL).host }),
    authorization: `Basic ${Buffer.from(authorization).toString("base64")}`,
  };
  const startedAt = Date.now();
  while (!output.includes("Worker connected")) {
    const isOver = child.exitCode !== null || Date.now() - startedAt > STARTS_WITHIN_MS;
    if (isOver) throw new Error(`The site did not start:\n${output}`);
    await sleep(100);
  }
  return {
    port,
    origin,
    databaseUrl: databaseUrl,
    dataDir: config.dataDir,
    process: child,
    fetch: (path, init) =>
      fetch(new URL(path, address), {
        redirect: "manual",
        ...init,
        headers: { ...common, ...Object.fromEntries(new Headers(init?.headers)) },
      }),
    output: () => output,
    stop: () => endProcess(child),
  };
}
