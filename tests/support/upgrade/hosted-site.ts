import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Jar } from "../cookie-jar.ts";
import { startMailServer } from "../copies/mail-server.ts";
import { findTestPort } from "../process/test-port.ts";

const STARTS_WITHIN_MS = 120_000;
const MAIL_WITHIN_MS = 30_000;
const CODE = /^[0-9A-Z]{8}$/m;

/** The owner of the hosted site. */
export const OWNER = "owner@peony.example";

/** Those of a host; `startHostedSite` has a mail server of its own. */
export const HOST_SETTINGS = {
  APP_URL: "https://peony.example",
  CONTACT_EMAIL: "contact@peony.example",
  OWNER_EMAIL: OWNER,
  SESSION_SECRET: "c2l4dHktZm91ci1iaXRzLW9mLWEtc2VjcmV0LWZvci1hLXRlc3Q",
  STRIPE_SECRET_KEY: "sk_test_ofthetest",
  SMTP_URL: "smtp://127.0.0.1:1",
  TRUST_PROXY: "1",
};

/** Runs the site as a host does, with its built-in database and worker, on a data folder. The payment provider is out of reach. */
export async function startHostedSite(dataDir: string) {
  const port = await findTestPort();
  const mails = await startMailServer();
  const child = spawn(process.execPath, ["build/scripts/supervise.js"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      ...HOST_SETTINGS,
      HOST: "127.0.0.1",
      PORT: String(port),
      WEB_PROCESSES: "1",
      DATABASE_TIMEOUT_MS: "30000",
      DATA_DIR: dataDir,
      SMTP_URL: mails.url,
      NODE_OPTIONS: `--import ${new URL("../process/no-outside.mjs", import.meta.url).href}`,
    },
  });
  const output = await untilStarted(child);
  let visitors = 0;
  const site = {
    origin: HOST_SETTINGS.APP_URL,
    fetch(path: string, init: RequestInit = {}) {
      const headers = new Headers(init.headers);
      headers.set("x-forwarded-host", new URL(HOST_SETTINGS.APP_URL).host);
      return fetch(new URL(path, `http://127.0.0.1:${port}`), { redirect: "manual", ...init, headers });
    },
  };
  return {
    ...site,
    output,
    /** Passes the gate and the sign-in with an emailed code, each person from another network. */
    async signIn(email: string): Promise<Jar> {
      visitors += 1;
      const jar = new Jar(site, { "X-Forwarded-For": `198.51.${visitors}.1` });
      const before = mails.mailsTo(email).length;
      await jar.post("/enter", { next: "/" });
      await jar.post("/signin", { email, next: "/" });
      const deadline = Date.now() + MAIL_WITHIN_MS;
      while (mails.mailsTo(email).length === before && Date.now() < deadline) await sleep(50);
      const code = CODE.exec(mails.mailsTo(email).at(-1)?.raw.replaceAll("\r", "") ?? "")?.[0] ?? "";
      const answer = await jar.post("/signin/code", { code });
      if (!/^30[23]$/.test(String(answer.status)))
        throw new Error(`The code was answered with ${answer.status}`);
      return jar;
    },
    async stop(): Promise<void> {
      if (child.exitCode === null) {
        const gone = once(child, "exit");
        child.kill("SIGTERM");
        await gone;
      }
      await mails.stop();
    },
  };
}

async function untilStarted(child: ChildProcess): Promise<() => string> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const deadline = Date.now() + STARTS_WITHIN_MS;
  while (!output.includes("Worker connected")) {
    if (child.exitCode === null && Date.now() < deadline) await sleep(100);
    else {
      child.kill("SIGKILL");
      throw new Error(`The site did not start:\n${output}`);
    }
  }
  return () => output;
}
