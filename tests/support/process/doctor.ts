import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { expect } from "vitest";
import { config } from "#app/config.server.ts";
import { type Site, startSite } from "../site.ts";
import { runScript } from "./built-script.ts";
import { findTestPort } from "./test-port.ts";

interface Finding {
  name: string;
  isOk: boolean;
  advice?: string;
  detail?: string;
}

const folder = mkdtempSync(join(tmpdir(), "peony-doctor-"));
const certificate = join(folder, "certificate.pem");
const key = join(folder, "key.pem");
execFileSync("openssl", [
  ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
  ...[
    "-subj",
    "/CN=localhost",
    "-addext",
    "subjectAltName=DNS:localhost",
    "-keyout",
    key,
    "-out",
    certificate,
  ],
]);
const [proxyPort, smtpPort] = [await findTestPort(), await findTestPort()];

/** The newest nightly backup. */
export const backup = join(folder, "peony-20261101T023000Z.tar");
export const settings = {
  APP_URL: `https://localhost:${proxyPort}`,
  CONTACT_EMAIL: "contact@peony.example",
  SESSION_SECRET: config.session.secret,
  SMTP_URL: `smtp://peony:right@127.0.0.1:${smtpPort}`,
  TRUST_PROXY: "1",
  STRIPE_SECRET_KEY: "sk_test_ofthetest",
  STRIPE_WEBHOOK_SECRET: "whsec_ofthetest",
  BACKUP_DIR: folder,
};

const GOOD_PROXY = {
  /** Larger bodies are refused by the proxy itself. */
  maxBytes: Number.POSITIVE_INFINITY,
  /** The site that it leads to; null for another program. */
  target: null as Pick<Site, "origin"> | null,
  change: (headers: IncomingHttpHeaders) => headers,
};
const proxy = { ...GOOD_PROXY };

/** A hosted site behind a proxy, which may be changed while `run` runs. */
export async function startDoctoredSite() {
  const mailServer = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password }, _, callback) =>
      password === "right" ? callback(null, { user: username }) : callback(new Error("Wrong password")),
  });
  await writeFile(backup, "");
  await new Promise<void>((resolve) => mailServer.listen(smtpPort, "127.0.0.1", resolve));
  const tls = { key: readFileSync(key), cert: readFileSync(certificate) };
  const server = createServer(tls, (incoming, answer) => {
    if (Number(incoming.headers["content-length"]) > proxy.maxBytes) {
      answer.writeHead(413, { Connection: "close" }).end();
      return;
    }
    if (proxy.target === null) return void answer.end("It works!");
    const headers = { ...incoming.headers, "x-forwarded-for": "203.0.113.9" };
    const url = proxy.target.origin + incoming.url;
    const passed = request(url, { method: incoming.method, headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, proxy.change(from.headers));
      from.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(proxyPort, resolve));
  const site = await startSite({ env: settings });
  GOOD_PROXY.target = site;
  Object.assign(proxy, GOOD_PROXY);
  return {
    site,
    async stop() {
      server.close();
      mailServer.close(() => {});
      await site.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function withProxy<Result>(
  changed: Partial<typeof proxy>,
  run: () => Promise<Result>,
): Promise<Result> {
  Object.assign(proxy, changed);
  try {
    return await run();
  } finally {
    Object.assign(proxy, GOOD_PROXY);
  }
}

/** The doctor's advice for a check that has to fail; `broken` are other settings than the site's. */
export async function adviceOf(
  name: string,
  broken: Record<string, string> = {},
): Promise<string | undefined> {
  return (await adviceByCheck(broken)).get(name);
}

/** The advice by the name of its check, undefined for a check that passes. At least one check must fail. */
export async function adviceByCheck(
  broken: Record<string, string> = {},
): Promise<Map<string, string | undefined>> {
  const { code, checks } = await doctor(broken);
  expect(code).toBe(1);
  return new Map(checks.map(({ name, advice }) => [name, advice]));
}

export async function doctor(
  broken: Record<string, string> = {},
): Promise<{ code: number; checks: Finding[] }> {
  const { code, stdout } = await runScriptOf("doctor", ["--json"], broken);
  return { code, checks: JSON.parse(stdout) };
}

export function runScriptOf(name: string, args: string[], broken: Record<string, string> = {}) {
  const { FFMPEG_PATH, FFPROBE_PATH } = process.env;
  const own = { FFMPEG_PATH, FFPROBE_PATH, DATA_DIR: config.dataDir, NODE_EXTRA_CA_CERTS: certificate };
  return runScript(name, args, { ...own, ...settings, ...broken });
}
