import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pgOptions } from "#db/adapter/driver-options.ts";
import { GuardedPool } from "#db/adapter/guarded-pool.ts";
import { withConnection } from "#db/connection.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { explain } from "#scripts/command/explain.ts";
import {
  CERTIFIED_USER,
  HARD_PASSWORD,
  KEY_PASSWORD,
  MANAGED_USER,
  startTlsServer,
  type TlsServer,
} from "#tests/support/database/tls-server.ts";
import { runScript } from "#tests/support/process/built-script.ts";
import { environment } from "#tests/support/process/failing-start.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";

const REAL = {
  APP_URL: "https://peony.example",
  CONTACT_EMAIL: "contact@peony.example",
  SESSION_SECRET: "b1946ac92492d2347c6235b4d2611184c5d2f9a5",
  SMTP_URL: "smtp://127.0.0.1:2525",
};
const STARTS_WITHIN_MS = 60_000;
let server: TlsServer;
let folder = "";

beforeAll(async () => {
  await buildWhenStale();
  folder = await mkdtemp(join(tmpdir(), "peony-managed-"));
  server = await startTlsServer();
}, 120_000);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test("a site starts, migrates and works on a server that requires TLS with an authority of its own", async () => {
  const query = `?sslmode=verify-full&sslrootcert=${server.files.authority}&pgbouncer=true&connection_limit=5&application_name=host`;
  const DATABASE_URL = await server.urlOf({ query });
  const [PORT, DATA_DIR] = [String(await findTestPort()), join(folder, "a folder with blanks")];
  const site = spawn(process.execPath, ["build/scripts/supervise.js"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment({ DATABASE_URL, DATA_DIR, PORT, WEB_PROCESSES: "1", ...REAL }),
  });
  let said = "";
  for (const stream of [site.stdout, site.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  const ended = once(site, "exit");
  try {
    await expect.poll(() => said, { timeout: STARTS_WITHIN_MS }).toContain("Worker connected");
    const answer = await fetch(`http://127.0.0.1:${PORT}/readyz`, { headers: { Host: "peony.example" } });
    expect([answer.status, said]).toEqual([200, expect.stringContaining("is at https://peony.example")]);
    const settings = { DATABASE_URL, DATA_DIR, ...REAL };
    const doctor = await runScript("doctor", ["--json"], settings);
    const database = JSON.parse(doctor.stdout).filter(({ name }: { name: string }) =>
      ["database", "migrations", "clock", "jobs"].includes(name),
    );
    expect(database.map(({ isOk }: { isOk: boolean }) => isOk)).toEqual([true, true, true, true]);
    const backup = await runScript("backup", [join(folder, "managed.tar")], settings);
    expect(backup).toMatchObject({ code: 0, stderr: "" });
  } finally {
    site.kill("SIGTERM");
    await ended;
  }
  expect(said).not.toContain(HARD_PASSWORD);
}, 120_000);

/** For "localhost", for which the certificate is made, unless the host is another. */
test.each<[string, string, boolean]>([
  ["localhost", "?sslmode=require", true],
  ["localhost", "?sslmode=prefer", true],
  ["localhost", "?ssl=true", true],
  ["localhost", "?sslmode=verify-ca&sslrootcert=AUTHORITY", true],
  ["127.0.0.1", "?sslmode=verify-ca&sslrootcert=AUTHORITY", true],
  ["127.0.0.1", "?sslmode=require&sslrootcert=AUTHORITY", true],
  ["localhost", "?sslmode=verify-full&sslrootcert=AUTHORITY", true],
  [
    "localhost",
    "?sslmode=require&ssl_min_protocol_version=TLSv1.2&channel_binding=prefer&schema=public",
    true,
  ],
  ["localhost", "?sslmode=require&options=-c%20search_path%3Dpublic&connect_timeout=15", true],
])("both drivers reach %s with %s", async (host, query, isEncrypted) => {
  const url = await server.urlOf({ host, query: withFiles(query) });
  expect(await encryptedBy(url)).toEqual([isEncrypted, isEncrypted, isEncrypted]);
});

test.each(["?sslmode=disable", "?sslmode=prefer", "?sslmode=allow", ""])(
  "both drivers reach a server that refuses TLS to this user with %s",
  async (query) => {
    expect(await encryptedBy(await server.urlOf({ user: "plain", query }))).toEqual([false, false, false]);
  },
);

test("both drivers reach a Unix socket, which is never encrypted", async () => {
  const { pathname, password } = new URL(await server.urlOf());
  const query = `?host=/tmp&port=${server.port}&sslmode=require`;
  const url = `postgres://${MANAGED_USER}:${password}@${pathname}${query}`;
  expect(await encryptedBy(url)).toEqual([false, false, false]);
});

test.each([
  "sslcert=CERTIFICATE&sslkey=KEY",
  `sslcert=CERTIFICATE&sslkey=LOCKED&sslpassword=${KEY_PASSWORD}`,
])("both drivers show a certificate of their own with %s", async (files) => {
  const query = withFiles(`?sslmode=require&${files}`);
  const url = await server.urlOf({ user: CERTIFIED_USER, query });
  expect(await encryptedBy(url)).toEqual([true, true, true]);
});

test.each([
  [MANAGED_USER, "prefer"],
  [MANAGED_USER, "allow"],
  ["plain", "prefer"],
  ["plain", "allow"],
])("a wrong password and a wrong name of %s are reported as wrong with sslmode=%s", async (user, mode) => {
  const url = await server.urlOf({ user, query: `?sslmode=${mode}` });
  for (const [wrong, words] of [
    [url.replace(encodeURIComponent(HARD_PASSWORD), "wrong"), "rejects the user or password"],
    [url.replace(/site_\d+/, "nowhere"), "does not exist"],
  ] as const) {
    const [one = "", ...others] = await failuresOf(wrong);
    expect(one).toContain(words);
    expect(others).toEqual([one, one]);
  }
});

test("a server without TLS says that a password is wrong, with sslmode=allow as well", async () => {
  for (const mode of ["prefer", "allow"]) {
    const wrong = new URL(`${process.env.DATABASE_URL}?sslmode=${mode}`);
    wrong.pathname = "/nowhere";
    for (const line of await failuresOf(wrong.href)) expect(line).toContain("does not exist");
  }
});

test.each<[string, string, RegExp]>([
  ["localhost", "", /without encryption: .*\?sslmode=require/],
  ["localhost", "?sslmode=verify-full", /authority.*sslrootcert/],
  ["localhost", "?sslmode=verify-full&sslrootcert=STRANGER", /authority.*sslrootcert/],
  ["127.0.0.1", "?sslmode=verify-full&sslrootcert=AUTHORITY", /certificate.*another name.*verify-ca/],
  ["localhost", "?sslmode=verify-ca", /sslmode=verify-ca without sslrootcert/],
  ["localhost", "?sslmode=require&sslrootcert=/nowhere/ca.pem", /sslrootcert.*cannot read/],
  ["localhost", "?sslmode=require&sslrootcert=TEXT", /sslrootcert without a certificate/],
  ["localhost", "?sslmode=require&sslrootcert=DAMAGED", /sslrootcert whose certificate is damaged: get/],
  ["localhost", "?sslmode=require&sslcert=TEXT&sslkey=KEY", /sslcert without a certificate/],
  ["localhost", "?sslmode=require&sslcert=CERTIFICATE&sslkey=CERTIFICATE", /sslkey without a private key/],
  ["localhost", "?sslmode=prefer&sslcert=CERTIFICATE&sslkey=LOCKED", /sslpassword=.*if the key is encrypted/],
  ["localhost", "?sslmode=require&sslcert=CERTIFICATE&sslkey=OTHER", /cannot be used together.*its own key/],
  ["localhost", "?sslmode=require&ssl_max_protocol_version=TLSv1", /no encryption in common/],
])("both drivers refuse %s with %s in the same words", async (host, query, words) => {
  const url = await server.urlOf({ host, query: withFiles(query) });
  const [one = "", ...others] = await failuresOf(url);
  expect(one).toMatch(words);
  expect(others).toEqual([one, one]);
});

test("a server without TLS is named if the address requires it", async () => {
  const url = `${process.env.DATABASE_URL}?sslmode=require`;
  const [one = "", ...others] = await failuresOf(url);
  expect(one).toMatch(/offers no encryption: .*sslmode=disable/);
  expect(others).toEqual([one, one]);
});

function withFiles(query: string): string {
  const { authority, stranger, text, damaged, clientCertificate, clientKey, lockedKey, otherKey } =
    server.files;
  return query
    .replace("AUTHORITY", authority)
    .replace("STRANGER", stranger)
    .replace("TEXT", text)
    .replace("DAMAGED", damaged)
    .replaceAll("CERTIFICATE", clientCertificate)
    .replace("LOCKED", lockedKey)
    .replace("OTHER", otherKey)
    .replace("KEY", clientKey);
}

const STATEMENT = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";

/** By the driver of commands, the pool of pages, and the driver of the queue. */
function connections(url: string): (() => Promise<{ ssl: boolean }[]>)[] {
  return [
    () => withConnection(url, async (sql) => [...(await sql.unsafe<{ ssl: boolean }[]>(STATEMENT))]),
    async () => {
      const pool = new GuardedPool({ url, connections: 1, statementMs: 5_000 });
      try {
        return (await pool.unsafe(STATEMENT)) as { ssl: boolean }[];
      } finally {
        await pool.end(1);
      }
    },
    async () => {
      const client = new pg.Client(await pgOptions(url));
      client.on("error", () => {});
      try {
        await client.connect();
        return (await client.query(STATEMENT)).rows;
      } finally {
        void client.end().catch(() => {});
      }
    },
  ];
}

async function encryptedBy(url: string): Promise<(boolean | undefined)[]> {
  return Promise.all(connections(url).map(async (run) => (await run())[0]?.ssl));
}

async function failuresOf(url: string): Promise<string[]> {
  return Promise.all(
    connections(url).map((run) =>
      run().then(
        () => "connected",
        (error: Error) => explain(error.name === "DatabaseUnreachable" ? error.cause : error),
      ),
    ),
  );
}
