import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, inject, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { failure } from "#tests/support/process/failing-start.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { expectFigures } from "./support/figures.ts";

/** A slow machine has no limit in the short form. */
const MAX_MS = Number.MAX_SAFE_INTEGER;
const GOOD_SECRET = "a-secret-that-is-long-enough-for-anybody";
const REAL = {
  APP_URL: "https://peony.example",
  CONTACT_EMAIL: "contact@peony.example",
  SESSION_SECRET: GOOD_SECRET,
  SMTP_URL: "smtp://127.0.0.1:2525",
};
const ROLE = "peony_without_rights";

let folder: string;
let takenPort: number;
const other = createServer();

beforeAll(async () => {
  await buildWhenStale();
  folder = await mkdtemp(join(tmpdir(), "peony-wrong-"));
  await writeFile(join(folder, "a-file"), "");
  takenPort = await findTestPort();
  other.listen(takenPort, "127.0.0.1");
});
afterAll(async () => {
  other.close();
  await rm(folder, { recursive: true, force: true });
});

test("a start with wrong settings ends at once in one line that tells no secret", async () => {
  const databaseUrl = config.database.url ?? "";
  const cases: [string, Record<string, string>, RegExp][] = [
    ["no secret", { ...REAL, SESSION_SECRET: "" }, /^Configuration: SESSION_SECRET: /],
    ["a short secret", { SESSION_SECRET: "b4c1d3a9" }, /^Configuration: SESSION_SECRET: /],
    ["a weak secret", { SESSION_SECRET: "password".repeat(6) }, /^Configuration: SESSION_SECRET: /],
    ["an address without TLS", { ...REAL, APP_URL: "http://peony.example" }, /^Configuration: APP_URL: /],
    ["an address that is none", { ...REAL, APP_URL: "peony.example" }, /^Configuration: APP_URL: /],
    ["no mail server", { ...REAL, SMTP_URL: "" }, /^Configuration: SMTP_URL: /],
    ["a mail server by http", { ...REAL, SMTP_URL: "http://127.0.0.1" }, /^Configuration: SMTP_URL: /],
    ["no contact", { ...REAL, CONTACT_EMAIL: "" }, /^Configuration: CONTACT_EMAIL: /],
    ["an unknown front", { FRONT: "apache" }, /^Configuration: FRONT: /],
    ["proxies without a number", { TRUST_PROXY: "everyone" }, /^Configuration: TRUST_PROXY: /],
    ["another database", { DATABASE_URL: "mysql://127.0.0.1/peony" }, /^Configuration: DATABASE_URL: /],
    ["a time limit of nothing", { DATABASE_TIMEOUT_MS: "0" }, /^Configuration: DATABASE_TIMEOUT_MS: /],
    [
      "a live key for a stand-in",
      { STRIPE_SECRET_KEY: "sk_live_x", STRIPE_API_URL: "http://127.0.0.1:1" },
      /^Configuration: STRIPE_API_URL: /,
    ],
    ["a taken port", { PORT: String(takenPort) }, /is busy: end what uses it/],
    ["an address of another machine", { HOST: "203.0.113.9" }, /cannot be used/],
    ["a data folder that is a file", { DATA_DIR: join(folder, "a-file") }, /is not a folder: choose another/],
    [
      "a data folder inside a file",
      { DATA_DIR: join(folder, "a-file", "in") },
      /is not a folder: choose another/,
    ],
    ["a data folder of the system", { DATA_DIR: "/sys/peony" }, /choose another DATA_DIR/],
    [
      "a database of nobody",
      { DATABASE_URL: `postgres://x:y@127.0.0.1:${await findTestPort()}/x` },
      /does not answer/,
    ],
    ["a role without rights", { DATABASE_URL: await urlOfRole() }, /may not make the site's tables/],
    [
      "a wrong password",
      { DATABASE_URL: databaseUrl.replace(/:[^:@/]+@/, ":wrong-password@") },
      /refuses the user/,
    ],
  ];
  const wrong: string[] = [];
  let longestMs = 0;
  for (const [name, env, line] of cases) {
    const startedAt = Date.now();
    const { code, lines } = await failure(env);
    longestMs = Math.max(longestMs, Date.now() - startedAt);
    const isClear =
      lines.length === 1 && line.test(lines[0] ?? "") && !/^\s+at |wrong-password/.test(lines[0] ?? "");
    if (code !== 1 || !isClear || lines.join().includes(env.SESSION_SECRET || "\n"))
      wrong.push(`${name}: ${code} ${lines.join("\n")}`);
  }
  if (wrong.length > 0) console.error(wrong.join("\n"));
  expectFigures({
    cases: { is: cases.length, atLeast: 15 },
    notRefusedInOneLine: { is: wrong.length, exactly: 0 },
    longestMs: { is: longestMs, atMost: MAX_MS },
  });
}, 600_000);

/** An empty database, in which this role may create nothing. */
async function urlOfRole(): Promise<string> {
  await db.execute(
    sql.raw(`DO $$ BEGIN CREATE ROLE ${ROLE} LOGIN PASSWORD '${ROLE}';
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`),
  );
  const url = new URL(await cloneDatabase(inject("serverUrl"), "template1"));
  url.username = ROLE;
  url.password = ROLE;
  return url.href;
}
