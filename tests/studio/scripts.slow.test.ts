import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { createMember } from "#tests/support/people.ts";
import { runScript } from "#tests/support/process/built-script.ts";

const ONE_LINE = /^[^\n]+\n$/;

test("people:role gives a role, and a dry run does not", async () => {
  const { email } = await createMember();
  const dry = await runScript("people-role", [email.toUpperCase(), "owner", "--dry-run"]);
  expect([dry.code, dry.stdout]).toEqual([0, `${email}: member → owner; nothing was written.\n`]);
  expect(await db.$count(users, sql`role = 'owner'`)).toBe(0);

  const { code, stdout } = await runScript("people-role", [email, "owner", "--json"]);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { done: true, email, before: "member", after: "owner", isDryRun: false },
  ]);
  const again = await runScript("people-role", [email, "owner"]);
  expect([again.code, again.stdout]).toEqual([0, `${email} already has the role owner.\n`]);
});

test("people:role says in one line what is wrong, and explains itself", async () => {
  const { email } = await createMember();
  for (const [args, expected] of [
    [["nobody@example.com", "editor"], 1],
    [[email, "king"], 2],
    [["no address", "editor"], 2],
    [[email], 2],
    [[email, "editor", "--force"], 2],
  ] as const) {
    const { code, stdout, stderr } = await runScript("people-role", [...args]);
    expect([code, stdout, stderr]).toEqual([expected, "", expect.stringMatching(ONE_LINE)]);
  }
  const help = await runScript("people-role", ["--help"]);
  expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/^Usage: npm run people:role -- /)]);
  const [owner] = await db.select().from(users).where(sql`role = 'owner'`);
  const refused = await runScript("people-role", [owner?.email ?? "", "member"]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^This is the only owner/)]);
});

test("billing:price says in one line why nothing can be added or ended, and lists nothing", async () => {
  const price = ["--plan", "Membership", "--amount", "9.99", "--currency", "USD", "--days", "30"];
  for (const [args, expected] of [
    [price, 1],
    [["--end", "unknown"], 1],
    [price.slice(2), 2],
    [[...price, "--list"], 2],
  ] as const) {
    const { code, stdout, stderr } = await runScript("billing-price", [...args]);
    expect([code, stdout, stderr]).toEqual([expected, "", expect.stringMatching(ONE_LINE)]);
  }
  const listed = await runScript("billing-price", ["--list"]);
  expect([listed.code, listed.stdout]).toEqual([0, "No price is on sale.\n"]);
});

test("billing:providers lists nothing, and says in one line why nothing can be ended or linked", async () => {
  const listed = await runScript("billing-providers");
  expect([listed.code, listed.stdout]).toEqual([0, "No payment provider is set up: see docs/payments.md.\n"]);
  for (const [args, expected] of [
    [["--end-renewals", "stripe"], 1],
    [["--link", "ccbill:1", "--to", "member@example.com"], 1],
    [["--link", "ccbill:1"], 2],
    [["--link", "ccbill:1", "--to", "nobody"], 2],
    [["--dry-run"], 2],
    [["--end-renewals", "stripe", "--link", "ccbill:1", "--to", "member@example.com"], 2],
  ] as const) {
    const { code, stdout, stderr } = await runScript("billing-providers", [...args]);
    expect([code, stdout, stderr]).toEqual([expected, "", expect.stringMatching(ONE_LINE)]);
  }
});

test("jobs:retry queues failed jobs again", async () => {
  const retry = async () => (await runScript("retry-jobs")).stdout;
  expect(await retry()).toBe("There are no failed jobs.\n");
  await db.execute(sql`SELECT graphile_worker.add_job('delete-avatars', '{}', max_attempts => 1),
    graphile_worker.add_job('rank-media', '{"_cron": {}}', max_attempts => 1)`);
  await db.execute(sql`UPDATE graphile_worker._private_jobs SET attempts = max_attempts`);
  expect(await retry()).toBe(
    "1 failed job was queued again. 1 more was dropped, because the schedule queues such jobs anyway.\n",
  );
  const left = await db.execute(sql`SELECT task_identifier AS task, attempts FROM graphile_worker.jobs`);
  expect([...left]).toEqual([{ task: "delete-avatars", attempts: 0 }]);
  const wrong = await runScript("retry-jobs", ["all"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(ONE_LINE)]);
});

test("audit:verify counts a whole log and names the first broken entry", async () => {
  const { email } = await createMember();
  for (const role of ["editor", "publisher", "member"]) await runScript("people-role", [email, role]);
  const whole = await runScript("audit-verify");
  expect([whole.code, whole.stdout]).toEqual([
    0,
    expect.stringMatching(/^The audit log is intact: 4 entries. The last hash is [0-9a-f]{64}\.\n$/),
  ]);
  // Only the owner of the table can do this.
  await db.execute(sql`ALTER TABLE audit_log DISABLE TRIGGER USER`);
  await db.execute(sql`UPDATE audit_log SET after = '{}' WHERE id = 3`);
  await db.execute(sql`ALTER TABLE audit_log ENABLE TRIGGER USER`);
  const broken = await runScript("audit-verify");
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringMatching(/broken at entry 3:[^\n]+\n$/)]);
  const json = await runScript("audit-verify", ["--json"]);
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { entries: 4, brokenId: 3 }]);
});
