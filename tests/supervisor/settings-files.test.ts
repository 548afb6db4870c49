import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { environment } from "#app/config/settings.ts";
import { parseConfig } from "#app/config.server.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { cutValues } from "#scripts/command/load-env.ts";
import { failure } from "#tests/support/process/failing-start.ts";

const folder = await mkdtemp(join(tmpdir(), "peony-settings-"));
const SECRET = "b1946ac92492d2347c6235b4d2611184c5d2f9a5";
beforeAll(buildWhenStale);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A good value of every setting, as a host would write it. */
const GOOD: Record<keyof typeof environment.shape, string> = {
  APP_URL: "https://peony.example:8443",
  SITE_NAME: "Peony",
  TIME_ZONE: "Europe/Berlin",
  CONTACT_EMAIL: "contact@peony.example",
  OWNER_EMAIL: "owner@peony.example",
  HOST: "127.0.0.1",
  PORT: "8080",
  FRONT: "none",
  FRONT_PORT: "8081",
  WEB_PROCESSES: "2",
  DRAIN_SECONDS: "5",
  HSTS_SUBDOMAINS: "off",
  TRUST_PROXY: "10.0.0.0/8, 127.0.0.1",
  SESSION_SECRET: SECRET,
  DATABASE_URL: "postgres://peony@db.example:5432/peony?sslmode=require",
  DATABASE_DIRECT_URL: "postgres://peony@db.example:5433/peony?sslmode=require",
  DATABASE_PASSWORD: "hunter2-of-the-database",
  DATABASE_POOL: "10",
  DATABASE_TIMEOUT_MS: "2000",
  DATA_DIR: join(folder, "data"),
  STORAGE: "s3://peony-media/site",
  S3_ENDPOINT: "https://s3.peony.example",
  S3_REGION: "eu-central-1",
  S3_ACCESS_KEY: "HUNTER2ACCESS",
  S3_SECRET_KEY: "hunter2-of-the-store",
  S3_PATH_STYLE: "on",
  SMTP_URL: "smtp://user:hunter2-of-the-mails@mail.example:587",
  MAIL_FROM: "Peony <hello@peony.example>",
  PAYMENTS: "stripe",
  STRIPE_SECRET_KEY: "sk_test_hunter2",
  STRIPE_WEBHOOK_SECRET: "whsec_hunter2",
  STRIPE_API_URL: "http://127.0.0.1:4000",
  CCBILL_ACCOUNT: "900100-0000",
  CCBILL_FLEX_ID: "d7d6d9a5-0000-4000-8000-000000000001",
  CCBILL_SALT: "hunter2ofthedigests",
  CCBILL_DATALINK_USER: "peony",
  CCBILL_DATALINK_PASSWORD: "hunter2-of-the-data-link",
  CCBILL_WEBHOOK_TOKEN: "hunter2-of-the-webhook-at-ccbill0",
  CCBILL_WEBHOOK_RANGES: "64.38.212.0/24, 64.38.215.7",
  CCBILL_API_URL: "http://127.0.0.1:4001",
  BTCPAY_URL: "https://pay.peony.example",
  BTCPAY_STORE_ID: "2KxSpc9V5zDWfUbvgYiZuAfka4wUhGF96F75Ao8y4zHP",
  BTCPAY_API_KEY: "hunter2ofthebtcpayserver",
  BTCPAY_WEBHOOK_SECRET: "hunter2-of-the-webhook",
  BILLING_PROVIDER: "ccbill",
  BILLING_SITE: "peony.example",
  BILLING_TAX: "off",
  BILLING_GRACE_DAYS: "3",
  BILLING_STATEMENT: "PEONY.EXAMPLE",
  BACKUP_DIR: "/srv/peony-backups",
  BACKUP_KEEP: "14",
  KEEP_ORIGINALS: "off",
  ENCODING_JOBS: "2",
  UPLOAD_QUOTA_GB: "100",
  METRICS_TOKEN: "f".repeat(32),
  FFMPEG_PATH: "/usr/bin/ffmpeg",
  FFPROBE_PATH: "/usr/bin/ffprobe",
  LOG_LEVEL: "warn",
};
const SETTINGS = Object.keys(GOOD) as (keyof typeof GOOD)[];

test("each setting in matching quotes is refused with what to do", () => {
  for (const name of SETTINGS) {
    for (const quote of ['"', "'", "`"]) {
      expect(lineFor({ ...GOOD, [name]: quote + GOOD[name] + quote }, name)).toContain("remove the quotes");
      expect(lineFor({ ...GOOD, [name]: quote + quote }, name)).toContain("remove the quotes");
    }
  }
});

test.each([
  ["DATA_DIR", `"${join(folder, "quoted")}"`],
  ["SESSION_SECRET", `'${SECRET}'`],
])("the start and the commands refuse a quoted %s in one line and create no folder", async (name, value) => {
  const env = { DATA_DIR: join(folder, "unused"), [name]: value };
  for (const args of [
    ["build/scripts/supervise.js"],
    ["build/scripts/migrate.js"],
    ["build/scripts/doctor.js"],
  ]) {
    const cwd = await mkdtemp(join(folder, "cwd-"));
    const { code, lines } = await failure(env, [resolve(args[0] ?? "")], cwd);
    expect(code).toBe(1);
    const problems = lines.filter((line) => line.includes("Configuration: "));
    expect(problems).toEqual([expect.stringMatching(new RegExp(`${name}: .*remove the quotes$`))]);
    expect(lines.join()).not.toContain(SECRET);
    expect(await readdir(cwd)).toEqual([]);
  }
});

test("a value that .env would cut is refused before anything is created", async () => {
  const cwd = await mkdtemp(join(folder, "cwd-"));
  await writeFile(
    join(cwd, ".env"),
    `DATABASE_URL=postgres://peony:hunter2#tail@db.example/peony\nSITE_NAME=x # note\n`,
  );
  for (const script of ["supervise", "doctor"]) {
    const { lines } = await failure(
      { DATA_DIR: join(cwd, "data") },
      [resolve(`build/scripts/${script}.js`)],
      cwd,
    );
    expect(lines).toEqual([
      expect.stringMatching(/Configuration: DATABASE_URL: contains a #, .*in \.env.*%23/),
    ]);
    expect(await readdir(cwd)).toEqual([".env"]);
  }
});

test.each<[string, (path: string) => Promise<unknown>, RegExp]>([
  [
    "begins with the mark of Windows' editors",
    (path) => writeFile(path, `\ufeffSITE_NAME=${"n".repeat(61)}\n`),
    /SITE_NAME: must have at most 60/,
  ],
  [
    "is in UTF-16",
    (path) => writeFile(path, Buffer.from("\ufeffSITE_NAME=Peony\n", "utf16le")),
    /\.env: is not UTF-8: save it as UTF-8$/,
  ],
  ["is a folder", (path) => mkdir(path), /\.env: is a folder, not a file: remove it/],
])("a .env that %s is not ignored", async (_, write, words) => {
  const cwd = await mkdtemp(join(folder, "cwd-"));
  await write(join(cwd, ".env"));
  const { lines } = await failure(
    { DATA_DIR: join(cwd, "data") },
    [resolve("build/scripts/supervise.js")],
    cwd,
  );
  expect(lines).toEqual([expect.stringMatching(words)]);
  expect(await readdir(cwd)).toEqual([".env"]);
});

test("a path that begins with ~ is refused, because nothing here replaces it", () => {
  for (const name of ["DATA_DIR", "BACKUP_DIR", "FFMPEG_PATH", "FFPROBE_PATH"])
    expect(lineFor({ ...GOOD_ALONE, [name]: "~/peony" }, name)).toContain("begins with ~");
});

test("an empty setting before a quoted value with a # is not taken for a cut one", () => {
  expect(cutValues(`DATABASE_URL=\nSESSION_SECRET='ab#cd'\n`)).toEqual({});
  expect(Object.keys(cutValues("SITE_NAME=\n DATABASE_URL = postgres://u:p#q@h/db\n"))).toEqual([
    "DATABASE_URL",
  ]);
});

test("a separate password is used, and one in both places is refused", () => {
  const { database } = parseConfig(GOOD_ALONE);
  expect(database.url).toBe(`${GOOD.DATABASE_URL}&password=${GOOD.DATABASE_PASSWORD}`);
  const twice = { ...GOOD_ALONE, DATABASE_URL: "postgres://peony:another@db.example/peony" };
  expect(lineFor(twice, "DATABASE_PASSWORD")).toContain("remove one of them");
});

test.each([
  ["https://peony.example/site", "not contain a path"],
  ["https://peony.example//", "not contain a path"],
  ["https://peony.example/?page=1", "not contain a query"],
  ["https://peony.example?", "not contain a query"],
  ["https://peony.example/#top", "not contain a query or a #"],
  ["https://user:hunter2@peony.example", "not contain a user"],
  ["https://user@peony.example", "not contain a user"],
  ["http://peony.example", "must begin with https://"],
  ["HTTPS//peony.example", "must begin with https://"],
  ["https://", "not a complete address"],
  ["https://peony.example:port", "not a complete address"],
  ["https://one.example,two.example", "not a complete address"],
  ["https://peony.example.", "or a dot at the end"],
  ["https://*.peony.example", "without a *"],
])("the site's address %s is refused, not cut", (APP_URL, words) => {
  const line = lineFor({ ...GOOD_ALONE, APP_URL }, "APP_URL");
  expect(line).toContain(words);
  expect(line).not.toContain("hunter2");
});

test.each([
  "https://peony.example",
  "https://peony.example/",
  "https://peony.example:8443",
  "HTTPS://Peony.Example",
])("the site's address %s is valid", (APP_URL) => {
  expect(parseConfig({ ...GOOD_ALONE, APP_URL }).origin).toBe(new URL(APP_URL).origin);
});

/** A hosted site, for which the settings of the demo have no place. */
const OF_DEMO = { PAYMENTS: "", STRIPE_API_URL: "", CCBILL_API_URL: "" };
const GOOD_ALONE: Record<string, string> = { ...GOOD, ...OF_DEMO };

function lineFor(env: Record<string, string>, name: string): string {
  try {
    parseConfig({ ...env, STRIPE_API_URL: name === "STRIPE_API_URL" ? (env.STRIPE_API_URL ?? "") : "" });
  } catch (error) {
    const lines = (error as Error).message.split("\n");
    return lines.find((line) => line.startsWith(`Configuration: ${name}: `)) ?? "";
  }
  return "";
}
