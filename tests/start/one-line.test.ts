import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { findFreePort } from "#db/free-port.ts";
import { products } from "#db/schema/billing.ts";
import { DEMO_PRODUCT_ID } from "#db/seed/has-demo.ts";
import { buildWhenStale } from "#scripts/start/build-state.mjs";

beforeAll(buildWhenStale);

/** What a site needs that is no demo. */
const REAL = {
  APP_URL: "https://peony.example",
  SESSION_SECRET: "a-secret-that-is-long-enough-for-anybody",
  SMTP_URL: "smtp://127.0.0.1:2525",
};

/** Nothing of this process's own settings. */
function environment(env: Record<string, string>): NodeJS.ProcessEnv {
  return { NODE_ENV: "production", PATH: process.env.PATH, ...env };
}

/** What `npm start` prints after installing and building, until it gives up. */
async function failure(
  env: Record<string, string>,
  args = ["build/supervisor/supervise.js"],
): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment({ DATA_DIR: config.dataDir, PORT: String(await findFreePort()), ...env }),
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  return { code, lines: text.trim().split("\n") };
}

test("a busy port is said in one line with the way out", async () => {
  const port = await findFreePort();
  const other = createServer().listen(port);
  const { code, lines } = await failure({ PORT: String(port) });
  other.close();
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(new RegExp(`^Port ${port} is busy: .*PORT=${port + 1}`))]);
});

test("a database that is not there is said in one line", async () => {
  const url = `postgres://peony:a-password@127.0.0.1:${await findFreePort()}/peony`;
  const { code, lines } = await failure({ DATABASE_URL: url });
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining("does not answer: start it")]);
});

test("a wrong password is said in one line, and not the password", async () => {
  const url = new URL(config.database.url ?? "");
  url.password = "not-the-password";
  const { code, lines } = await failure({ DATABASE_URL: url.href });
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining("refuses the user or password")]);
  expect(lines.join()).not.toContain("not-the-password");
});

test("a database that does not exist is said in one line, with what to create", async () => {
  const url = new URL(config.database.url ?? "");
  url.pathname = "/peony_that_nobody_made";
  const { code, lines } = await failure({ DATABASE_URL: url.href });
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining("does not exist: create it")]);
});

test.each([
  [{ APP_URL: "https://peony.example" }, "SESSION_SECRET"],
  [{ PORT: "eighty" }, "PORT"],
  [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL"],
  [{ SESSION_SECRET: "short-secret" }, "SESSION_SECRET"],
])("a setting of %o is refused in one line that names it", async (env, name) => {
  const { code, lines } = await failure(env as Record<string, string>);
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(new RegExp(`^Configuration: ${name}: `))]);
  expect(lines.join()).not.toContain("short-secret");
});

const SCRIPTS = [["scripts/migrate.ts --status"], ["scripts/migrate.ts"], ["scripts/import-media.ts docs"]];

test.each(SCRIPTS)("%s says a wrong setting and a missing database in one line each", async (command) => {
  const script = ["--import", "tsx", ...command.split(" ")];
  const wrong = await failure({ DATABASE_URL: config.database.url ?? "", PORT: "eighty" }, script);
  expect(wrong).toEqual({ code: 1, lines: [expect.stringMatching(/Configuration: PORT: /)] });
  const url = `postgres://peony:a-password@127.0.0.1:${await findFreePort()}/peony`;
  const missing = await failure({ DATABASE_URL: url }, script);
  expect(missing).toEqual({ code: 1, lines: [expect.stringContaining("does not answer: start it")] });
});

test("a real site does not start on data that hold the demo", async () => {
  await db.insert(products).values({ id: DEMO_PRODUCT_ID, name: "Membership" });
  const { code, lines } = await failure({
    DATABASE_URL: config.database.url ?? "",
    ...REAL,
  });
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/^This database holds the demo/)]);
  // Nor is it a real site's from now on.
  expect(existsSync(join(config.dataDir, "real-site"))).toBe(false);
  await db.delete(products);
});

test("no demo starts on the data of a real site, whose owner could be signed in as by anybody then", async () => {
  const DATABASE_URL = config.database.url ?? "";
  const dataDir = await mkdtemp(join(tmpdir(), "peony-real-site-"));
  const site = spawn(process.execPath, ["build/supervisor/supervise.js"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: environment({ DATABASE_URL, DATA_DIR: dataDir, PORT: String(await findFreePort()), ...REAL }),
  });
  let said = "";
  site.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await expect.poll(() => said, { timeout: 25_000 }).toContain("is at https://peony.example");
  site.kill("SIGTERM");
  await once(site, "exit");

  const { code, lines } = await failure({ DATABASE_URL, DATA_DIR: dataDir });
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/^The data in \S+ are a real site's: set APP_URL/)]);
  await rm(dataDir, { recursive: true });
}, 60_000);
