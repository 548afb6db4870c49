import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import postgres from "postgres";
import { beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { products } from "#db/schema/prices.ts";
import { siteSettings } from "#db/schema/site.ts";
import { DEMO_PRODUCT_ID } from "#demo/seed/has-demo.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { prepareDatabase } from "#scripts/supervisor/prepare-database.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { environment, failure } from "../support/process/failing-start.ts";

beforeAll(buildWhenStale);

/** The settings that a real site needs. */
const REAL = {
  APP_URL: "https://peony.example",
  CONTACT_EMAIL: "contact@peony.example",
  SESSION_SECRET: "a-secret-that-is-long-enough-for-anybody",
  SMTP_URL: "smtp://127.0.0.1:2525",
};

test("a port in use is reported in one line with advice", async () => {
  const port = await findTestPort();
  const other = createServer().listen(port);
  const { code, lines } = await failure({ PORT: String(port) });
  other.close();
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(new RegExp(`^Port ${port} is in use: .*PORT=${port + 1}`))]);
});

test("an unreachable database is reported in one line", async () => {
  const url = `postgres://peony:a-password@127.0.0.1:${await findTestPort()}/peony`;
  const { code, lines } = await failure({ DATABASE_URL: url });
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining("does not answer: start it")]);
});

test("a wrong password is reported in one line, without the password", async () => {
  const url = new URL(config.database.url ?? "");
  url.password = "not-the-password";
  const { code, lines } = await failure({ DATABASE_URL: url.href });
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining("rejects the user or password")]);
  expect(lines.join()).not.toContain("not-the-password");
});

test("a missing database is reported in one line, with what to create", async () => {
  const url = new URL(config.database.url ?? "");
  url.pathname = "/peony_that_nobody_made";
  const { code, lines } = await failure({ DATABASE_URL: url.href });
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining("does not exist: create it")]);
});

test.each([
  [{ ...REAL, CONTACT_EMAIL: "" }, "CONTACT_EMAIL"],
  [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL"],
  [{ SESSION_SECRET: "short-secret" }, "SESSION_SECRET"],
  [{ PAYMENTS: "paypal" }, "PAYMENTS"],
])("a setting of %o is refused in one line that names it", async (env, name) => {
  const { code, lines } = await failure(env as Record<string, string>);
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(new RegExp(`^Configuration: ${name}: `))]);
  expect(lines.join()).not.toContain("short-secret");
});

test("missing and wrong settings are refused together, with a line for each", async () => {
  const { code, lines } = await failure({ APP_URL: REAL.APP_URL, SMTP_URL: REAL.SMTP_URL, PORT: "eighty" });
  const named = lines.map((line) => /^Configuration: (\w+): /.exec(line)?.[1]);
  expect([code, named.toSorted()]).toEqual([1, ["CONTACT_EMAIL", "PORT", "SESSION_SECRET"]]);
});

test("a setting in .env reaches the programs that npm start runs", async () => {
  const folder = await mkdtemp(join(tmpdir(), "peony-env-"));
  await writeFile(join(folder, ".env"), "SITE_NAME=x\nLOG_LEVEL=loud\n");
  const { lines } = await failure({}, [resolve("build/scripts/supervise.js")], folder);
  expect(lines).toEqual([expect.stringMatching(/^Configuration: LOG_LEVEL: /)]);
  await rm(folder, { recursive: true });
});

test("npm run media:import reports a wrong setting and a missing database in one line each", async () => {
  const script = ["build/scripts/import-media.js", "docs"];
  const wrong = await failure({ DATABASE_URL: config.database.url ?? "", PORT: "eighty" }, script);
  expect(wrong).toEqual({ code: 1, lines: [expect.stringMatching(/Configuration: PORT: /)] });
  const url = `postgres://peony:a-password@127.0.0.1:${await findTestPort()}/peony`;
  const missing = await failure({ DATABASE_URL: url }, script);
  expect(missing).toEqual({ code: 1, lines: [expect.stringContaining("does not answer: start it")] });
});

test("a real site does not start on the demo's data", async () => {
  await db.insert(products).values({ id: DEMO_PRODUCT_ID, name: "Membership" });
  const { code, lines } = await failure({
    DATABASE_URL: config.database.url ?? "",
    ...REAL,
  });
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/^This database holds the demo/)]);
  // The folder and the database were not marked as a real site's.
  expect(existsSync(join(config.dataDir, "real-site"))).toBe(false);
  expect(await db.select().from(siteSettings)).toEqual([]);
  await db.delete(products);
});

test("no demo starts on a real site's data, where anybody could sign in as the owner", async () => {
  const DATABASE_URL = config.database.url ?? "";
  const dataDir = await mkdtemp(join(tmpdir(), "peony-real-site-"));
  const site = spawn(process.execPath, ["build/scripts/supervise.js"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: environment({ DATABASE_URL, DATA_DIR: dataDir, PORT: String(await findTestPort()), ...REAL }),
  });
  let said = "";
  site.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const announced = `its files are in ${dataDir}\nIt has no members or media yet`;
  await expect.poll(() => said, { timeout: 25_000 }).toContain(announced);
  expect(said).toContain("is at https://peony.example");
  site.kill("SIGTERM");
  await once(site, "exit");

  const { code, lines } = await failure({ DATABASE_URL, DATA_DIR: dataDir });
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/^The data in \S+ belongs to a real site: set APP_URL/)]);
  await rm(dataDir, { recursive: true });
  const lost = await failure({ DATABASE_URL, DATA_DIR: dataDir });
  expect(lost).toEqual({
    code: 1,
    lines: [expect.stringMatching(/^This database belongs to a real site: set APP_URL/)],
  });
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

/** Programs that could change data or consume emails, without the APP_URL that was set when the data was created. */
const STARTS = [
  "build/scripts/supervise.js",
  "build/scripts/worker.js",
  "build/scripts/media-worker.js",
  "build/scripts/migrate.js",
  "build/scripts/import-media.js docs",
];

test.each(STARTS)(
  "%s refuses a real site's database with a new folder in one line and changes nothing",
  async (command) => {
    const sql = postgres(config.database.url ?? "", { max: 1, onnotice: () => {} });
    await sql`INSERT INTO site_settings (name, value) VALUES ('real-site', 'true') ON CONFLICT DO NOTHING`;
    await sql`DELETE FROM mail_outbox`;
    await sql`INSERT INTO mail_outbox (kind, "to", subject, html, text) VALUES ('sign-in', 'a@example.com', 's', 'h', 't')`;
    const dataDir = await mkdtemp(join(tmpdir(), "peony-lost-"));
    const { code, lines } = await failure(
      { DATABASE_URL: config.database.url ?? "", DATA_DIR: dataDir },
      command.split(" "),
    );
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/This database belongs to a real site: set APP_URL/)]);
    expect(await sql`SELECT 1 FROM mail_outbox WHERE sent_at IS NULL`).toHaveLength(1);
    expect(await sql`SELECT name FROM site_settings`).toEqual([{ name: "real-site" }]);
    expect(await sql`SELECT 1 FROM media`).toHaveLength(0);
    await sql.end();
    await rm(dataDir, { recursive: true });
  },
  60_000,
);

test("no demo starts on a database with members and no mark, until the host marks it as a demo's", async () => {
  const sql = postgres(config.database.url ?? "", { max: 1, onnotice: () => {} });
  await sql`DELETE FROM site_settings`;
  await sql`INSERT INTO users (email) VALUES ('member-of-old@example.com')`;
  const dataDir = await mkdtemp(join(tmpdir(), "peony-lost-"));
  const { code, lines } = await failure({ DATABASE_URL: config.database.url ?? "", DATA_DIR: dataDir });
  expect(code).toBe(1);
  expect(lines).toEqual([
    expect.stringMatching(/^This database has members but no mark of a demo: set APP_URL/),
  ]);
  expect(await sql`SELECT name FROM site_settings`).toEqual([]);

  const [, remedy = ""] = /run: (INSERT .*)$/.exec(lines[0] ?? "") ?? [];
  await sql.unsafe(remedy);
  await expect(prepareDatabase(config.database.url ?? "", { isDemo: true })).resolves.toEqual({
    needsDemo: true,
    isEmptySite: false,
    hasStoredContact: false,
  });
  await sql.end();
  await rm(dataDir, { recursive: true });
});
