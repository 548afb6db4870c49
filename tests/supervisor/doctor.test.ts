import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { doctor, runScriptOf, settings, startDoctoredSite } from "#tests/support/process/doctor.ts";

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
    "media folder",
    "ffmpeg",
    "backup",
    "backup disk",
    "mail",
    "payments",
  ],
  ...["public address", "cookies", "large forms", "proxies"],
];

test("a site that is well gets an ok for each check but that of the tests' own server", async () => {
  const { checks } = await doctor();
  // It does without, to be fast.
  const unsafe = { name: "database", isOk: false, advice: expect.stringMatching(/turn fsync and .* on$/) };
  expect(checks.filter(({ isOk }) => !isOk)).toEqual([unsafe]);
  expect(checks.map(({ name }) => name)).toEqual(CHECKS);
});

test("the doctor ends with status 0 when nothing is wrong", { timeout: 120_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "peony-well-"));
  try {
    const builtIn = { DATABASE_URL: "", DATA_DIR: dataDir };
    expect(await runScriptOf("migrate", [], builtIn)).toMatchObject({ code: 0 });
    const { code, checks } = await doctor(builtIn);
    expect(checks.filter(({ isOk }) => !isOk)).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual(CHECKS);
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

test("a command whose reader leaves early still ends by itself, without an uncaught error", async () => {
  const program = spawn(process.execPath, ["scripts/run.mjs", "doctor"], {
    env: { ...process.env, ...settings, DATA_DIR: config.dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  program.stdout.destroy();
  let problems = "";
  program.stderr.on("data", (chunk: Buffer) => {
    problems += chunk.toString();
  });
  const [code, signal] = await once(program, "close");
  expect({ code, signal, problems }).toEqual({ code: 1, signal: null, problems: "" });
});

test.each([
  ["doctor", []],
  ["backup", [join(tmpdir(), "never-made.tar")]],
  ["migrate", ["--status"]],
  ["check-media", []],
])("%s makes no database in a folder without one, whose name may be mistyped", async (name, args) => {
  const parent = await mkdtemp(join(tmpdir(), "peony-mistyped-"));
  const dataDir = join(parent, "dtaa");
  try {
    const { code, stdout, stderr } = await runScriptOf(name, args, { DATABASE_URL: "", DATA_DIR: dataDir });
    expect(stdout + stderr).toContain(`There is no database in ${dataDir}: correct DATA_DIR`);
    expect(code).toBe(1);
    expect(existsSync(dataDir)).toBe(false);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});

test("nobody else learns what the site sees of a request", async () => {
  const answer = await site.fetch("/readyz", { headers: { "x-doctor": "a guess" } });
  expect(answer.headers.get("x-doctor")).toBeNull();
});
