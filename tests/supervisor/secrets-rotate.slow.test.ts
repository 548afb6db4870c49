import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { keepTrialKey } from "#app/domain/billing/offers/trials.server.ts";
import { db } from "#db/client.server.ts";
import { signinTokens } from "#db/schema/auth.ts";
import { siteSettings } from "#db/schema/site.ts";
import { createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { runScript, type ScriptRun } from "#tests/support/process/built-script.ts";

const PRESENT = randomBytes(32).toString("hex");
const NEXT = randomBytes(32).toString("hex");
/** Every run compiles the script again, on processors that are busy with other tests. */
const TIMEOUT_MS = 120_000;

beforeEach(async () => {
  await db.delete(siteSettings);
  Object.assign(config.session, { secret: PRESENT, oldSecret: null });
  await keepTrialKey();
});

test(
  "explains how to replace the secret and prints a new one, never the current one",
  async () => {
    const first = await run(PRESENT);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("The key for free trials is in the database");
    expect(first.stdout).toMatch(
      /1\..*\n +[0-9a-f]{64}\n2\. .*new,present\n3\. .*\n4\. Wait 30 days.*\n5\. .*\n6\. /,
    );
    const [fresh = ""] = /\b[0-9a-f]{64}\b/.exec(first.stdout) ?? [];
    expect(fresh).not.toBe(PRESENT);
  },
  TIMEOUT_MS,
);

test(
  "says when the old secret can be removed, and how much would break now",
  async () => {
    const { id, email } = await createMember();
    await signedInCookie(id);
    await subscribe(id);
    await db.insert(signinTokens).values({
      email,
      tokenHash: "token",
      codeHash: "code",
      browserHash: "browser",
      device: "Firefox on Linux",
      expiresAt: new Date(Date.now() + 600_000),
    });
    const early = await run(`${NEXT},${PRESENT}`);
    expect([early.code, early.stdout]).toEqual([
      1,
      expect.stringContaining("FIX: only the old value decrypts"),
    ]);
    Object.assign(config.session, { secret: NEXT, oldSecret: PRESENT });
    await keepTrialKey();
    const { code, stdout } = await run(`${NEXT},${PRESENT}`);
    expect(code).toBe(0);
    expect(stdout).toContain("  1 open sign-in request,");
    expect(stdout).toContain("  1 session (");
    expect(stdout).toContain("about 1 running subscription.");
    expect(stdout).toMatch(/30 days after the restart with both: if that was today, on \d+ \w+ \d{4}\./);
  },
  TIMEOUT_MS,
);

test(
  "exits with 1 when the key of trials is missing or cannot be decrypted",
  async () => {
    const lost = await run(NEXT);
    expect([lost.code, lost.stdout]).toEqual([
      1,
      expect.stringContaining("FIX: no value of SESSION_SECRET decrypts"),
    ]);
    await db.delete(siteSettings);
    const missing = await run(PRESENT);
    expect([missing.code, missing.stdout]).toEqual([
      1,
      expect.stringContaining("FIX: the database has no key"),
    ]);
  },
  TIMEOUT_MS,
);

/** Runs the script as a host does; its output must never contain the configured secrets. */
async function run(SESSION_SECRET: string, args: string[] = []): Promise<ScriptRun> {
  const result = await runScript("secrets-rotate", args, { SESSION_SECRET });
  for (const secret of [PRESENT, NEXT]) expect(result.stdout + result.stderr).not.toContain(secret);
  return result;
}
