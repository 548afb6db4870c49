import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { doctor, runScriptOf, startDoctoredSite } from "#tests/support/process/doctor.ts";

/** The doctor asks for each thing in turn. */
vi.setConfig({ testTimeout: 120_000 });
const { site, stop } = await startDoctoredSite();
afterAll(stop);

const CHECKS = [
  ...[
    "database",
    "migrations",
    "clock",
    "jobs",
    "disk",
    "ffmpeg",
    "backup",
    "backup disk",
    "mail",
    "payments",
  ],
  ...["public address", "cookies", "large forms", "proxies"],
];

test("a site that is well gets an ok for each check but that of the tests' own server", async () => {
  const { findings } = await doctor();
  // It does without, to be fast.
  const unsafe = { name: "database", isOk: false, advice: expect.stringMatching(/turn fsync and .* on$/) };
  expect(findings.filter(({ isOk }) => !isOk)).toEqual([unsafe]);
  expect(findings.map(({ name }) => name)).toEqual(CHECKS);
});

test("the doctor ends with status 0 when nothing is wrong", { timeout: 120_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "peony-well-"));
  try {
    const builtIn = { DATABASE_URL: "", DATA_DIR: dataDir };
    expect(await runScriptOf("migrate", [], builtIn)).toMatchObject({ code: 0 });
    const { code, findings } = await doctor(builtIn);
    expect(findings.filter(({ isOk }) => !isOk)).toEqual([]);
    expect(findings.map(({ name }) => name)).toEqual(CHECKS);
    expect(code).toBe(0);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("a line tells each finding, without secrets", async () => {
  const { stdout } = await runScriptOf("doctor", [], { SMTP_URL: "smtp://user:a-password@127.0.0.1:1" });
  expect(stdout).toMatch(/^ok {3}migrations {6}all are applied$/m);
  expect(stdout).toMatch(/^FIX {2}mail {12}Nobody can sign in/m);
  expect(stdout).not.toContain("a-password");
  expect(stdout).not.toContain(config.session.secret);
});

test("nobody else learns what the site sees of a request", async () => {
  const answer = await site.fetch("/readyz", { headers: { "x-doctor": "a guess" } });
  expect(answer.headers.get("x-doctor")).toBeNull();
});
