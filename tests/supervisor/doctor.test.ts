import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { config } from "#app/config.server.ts";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { builtScript } from "#tests/support/process/built-script.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { startSite } from "#tests/support/site.ts";

const folder = await mkdtemp(join(tmpdir(), "peony-doctor-"));
const certificate = join(folder, "certificate.pem");
const key = join(folder, "key.pem");
const [proxyPort, smtpPort] = [await findTestPort(), await findTestPort()];
const mailServer = new SMTPServer({ authOptional: true, hideSTARTTLS: true, logger: false });
/** Larger bodies are refused by the proxy itself. */
let proxyLimit = Number.POSITIVE_INFINITY;

const settings = {
  APP_URL: `https://localhost:${proxyPort}`,
  CONTACT_EMAIL: "contact@peony.example",
  SESSION_SECRET: config.session.secret,
  SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  TRUST_PROXY: "1",
  STRIPE_SECRET_KEY: "sk_test_ofthetest",
  STRIPE_WEBHOOK_SECRET: "whsec_ofthetest",
  BACKUP_DIR: folder,
};
const backup = join(folder, "peony-20261101T023000Z.tar");
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
const site = await startSite({ env: settings });
const proxy = createServer(
  { key: await readFile(key), cert: await readFile(certificate) },
  (incoming, answer) => {
    if (Number(incoming.headers["content-length"]) > proxyLimit) {
      answer.writeHead(413, { Connection: "close" }).end();
      return;
    }
    const headers = { ...incoming.headers, "x-forwarded-for": "203.0.113.9" };
    const passed = httpRequest(site.origin + incoming.url, { method: incoming.method, headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    incoming.pipe(passed);
  },
);

beforeAll(async () => {
  await writeFile(backup, "");
  await new Promise<void>((resolve) => proxy.listen(proxyPort, resolve));
  await new Promise<void>((resolve) => mailServer.listen(smtpPort, "127.0.0.1", resolve));
});
afterAll(async () => {
  proxy.close();
  mailServer.close(() => {});
  await site.stop();
  await rm(folder, { recursive: true, force: true });
});

test("a site that is well gets an ok for each check", async () => {
  const { checks } = await doctor();
  // The tests' own server does without, to be fast.
  const unsafe = { name: "database", isOk: false, advice: expect.stringMatching(/turn fsync and .* on$/) };
  expect(checks.filter(({ isOk }) => !isOk)).toEqual([unsafe]);
  expect(checks.map(({ name }) => name)).toEqual([
    ...["database", "migrations", "clock", "jobs", "disk", "ffmpeg", "backup", "mail", "payments"],
    ...["public address", "cookies", "large forms", "proxies"],
  ]);
});

test.each<[string, string, RegExp, Record<string, string>]>([
  ["mail", "an unreachable mail server", /mail server of SMTP_URL/, { SMTP_URL: "smtp://127.0.0.1:1" }],
  ["payments", "a missing webhook secret", /STRIPE_WEBHOOK_SECRET/, { STRIPE_WEBHOOK_SECRET: "" }],
  ["payments", "no provider", /Nothing can be bought/, { STRIPE_SECRET_KEY: "", STRIPE_WEBHOOK_SECRET: "" }],
  ["ffmpeg", "no ffmpeg", /install ffmpeg/, { FFMPEG_PATH: "/nowhere/ffmpeg" }],
  ["backup", "no backups", /set BACKUP_DIR/, { BACKUP_DIR: "" }],
  ["backup", "a folder that is gone", /BACKUP_DIR cannot be read/, { BACKUP_DIR: "/nowhere" }],
  ["public address", "an address that leads nowhere", /Nobody reaches/, { APP_URL: "https://localhost:1" }],
  ["proxies", "a proxy too many in the settings", /set TRUST_PROXY=1/, { TRUST_PROXY: "2" }],
  ["proxies", "another secret", /SESSION_SECRET/, { SESSION_SECRET: "b4c1d3a9e8f7061524d3c2b1a0f9e8d7c6" }],
])("%s: the doctor finds %s", async (name, _, advice, broken) => {
  expect(await adviceOf(name, broken)).toMatch(advice);
});

test("the doctor finds an old backup, and a proxy that refuses large forms", async () => {
  const old = new Date(Date.now() - 3 * 86_400_000);
  await utimes(backup, old, old);
  proxyLimit = 1_000_000;
  try {
    expect(await adviceOf("backup")).toMatch(/3 days old/);
    expect(await adviceOf("large forms")).toMatch(/refuses 5 MB/);
  } finally {
    proxyLimit = Number.POSITIVE_INFINITY;
    await utimes(backup, new Date(), new Date());
  }
});

test("the doctor finds a database that is not migrated, and one that is unreachable", async () => {
  const empty = await cloneDatabase(inject("serverUrl"), "template1");
  expect(await adviceOf("migrations", { DATABASE_URL: empty })).toMatch(
    /\d+ are missing: run npm run db:migrate/,
  );
  const unreachable = { DATABASE_URL: "postgres://peony:peony@127.0.0.1:1/peony" };
  expect(await adviceOf("database", unreachable)).toMatch(/does not answer/);
});

test("a line tells each finding, without secrets", async () => {
  const { stdout } = await run([], { SMTP_URL: "smtp://user:a-password@127.0.0.1:1" });
  expect(stdout).toMatch(/^ok {3}migrations {6}all are applied$/m);
  expect(stdout).toMatch(/^FIX {2}mail {12}Nobody can sign in/m);
  expect(stdout).not.toContain("a-password");
  expect(stdout).not.toContain(config.session.secret);
});

test("nobody else learns what the site sees of a request", async () => {
  const answer = await site.fetch("/readyz", { headers: { "x-doctor": "a guess" } });
  expect(answer.headers.get("x-doctor")).toBeNull();
});

interface Found {
  name: string;
  isOk: boolean;
  advice?: string;
}

async function adviceOf(name: string, broken: Record<string, string> = {}): Promise<string | undefined> {
  const { code, checks } = await doctor(broken);
  expect(code).toBe(1);
  return checks.find((one) => one.name === name)?.advice;
}

async function doctor(broken: Record<string, string> = {}): Promise<{ code: number; checks: Found[] }> {
  const { code, stdout } = await run(["--json"], broken);
  return { code, checks: JSON.parse(stdout) };
}

async function run(args: string[], broken: Record<string, string>) {
  const { DATABASE_URL = "", PATH, FFMPEG_PATH, FFPROBE_PATH } = process.env;
  const given = { PATH, FFMPEG_PATH, FFPROBE_PATH, DATABASE_URL, DATA_DIR: site.dataDir };
  const env = {
    ...given,
    NODE_EXTRA_CA_CERTS: certificate,
    ...settings,
    ...broken,
    NODE_ENV: "production" as const,
  };
  const command = [await builtScript("doctor"), ...args];
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, command, { env })) };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, stdout };
  }
}
