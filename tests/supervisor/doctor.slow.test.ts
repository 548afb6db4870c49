import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { createMember } from "#tests/support/people.ts";
import { doctor, runScriptOf, startDoctoredSite } from "#tests/support/process/doctor.ts";

/** The doctor asks for each thing in turn. */
vi.setConfig({ testTimeout: 120_000 });
const { site, stop } = await startDoctoredSite();
afterAll(stop);

const OF_A_DEMO = [
  ...[
    "database",
    "PostgreSQL",
    "migrations",
    "announcements",
    "clock",
    "time zone",
    "jobs",
    "subscriptions",
    "plans",
    "originals",
    "encoding",
    "owner",
    "contact",
    "disk",
    "media folder",
    "ffmpeg",
  ],
  ...["backup", "backup disk", "mail", "payments"],
];
const OF_A_REAL_SITE = [...OF_A_DEMO, "public address", "cookies", "proxies", "large forms"];
/** The built-in server's package brings fixes late (decision 122). */
const OLD_RELEASE = {
  name: "PostgreSQL",
  isOk: false,
  advice: expect.stringMatching(/lacks security fixes: upgrade to \d+\.\d+ or later, .* a separate one/),
};

const NO_OWNER = {
  name: "owner",
  isOk: false,
  advice: expect.stringMatching(/set OWNER_EMAIL .* people:role/),
};

test("a healthy site gets an ok for every check, except for those about the tests' own server", async () => {
  await createMember({ role: "owner" });
  const { checks } = await doctor();
  // It does without, to be fast.
  const unsafe = { name: "database", isOk: false, advice: expect.stringMatching(/turn fsync and .* on$/) };
  expect(checks.filter(({ isOk }) => !isOk)).toEqual([unsafe, OLD_RELEASE]);
  expect(checks.map(({ name }) => name)).toEqual(OF_A_REAL_SITE);
});

test("the doctor ends with status 1 for a real site on the built-in server, and with 0 for a demo on it", async () => {
  const builtIn = { DATABASE_URL: "", DATA_DIR: await mkdtemp(join(tmpdir(), "peony-well-")) };
  const demo = { ...builtIn, APP_URL: "" };
  try {
    expect(await runScriptOf("migrate", [], demo)).toMatchObject({ code: 0 });
    const asDemo = await doctor(demo);
    expect(asDemo.checks.filter(({ isOk }) => !isOk)).toEqual([]);
    expect(asDemo.checks.map(({ name }) => name)).toEqual(OF_A_DEMO);
    expect(asDemo.code).toBe(0);
    const asRealSite = await doctor(builtIn);
    expect(asRealSite.checks.filter(({ isOk }) => !isOk)).toEqual([OLD_RELEASE, NO_OWNER]);
    expect(asRealSite.code).toBe(1);
  } finally {
    await rm(builtIn.DATA_DIR, { recursive: true, force: true });
  }
});

test("each finding is one line, without secrets", async () => {
  const { stdout } = await runScriptOf("doctor", [], { SMTP_URL: "smtp://user:a-password@127.0.0.1:1" });
  expect(stdout).toMatch(/^ok {3}migrations {6}all are applied$/m);
  expect(stdout).toMatch(/^FIX {2}mail {12}Nobody can sign in/m);
  expect(stdout).not.toContain("a-password");
  expect(stdout).not.toContain(config.session.secret);
});

test.each([
  ["doctor", []],
  ["migrate", ["--status"]],
])("%s creates no database in a folder without one, because its name may be mistyped", async (name, args) => {
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
