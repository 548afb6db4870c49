import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { auditLog } from "#db/schema/staff.ts";
import { createMember } from "#tests/support/people.ts";
import { recordAudit, verifyAudit } from "./audit.server.ts";

const WRITERS = 20;
const SCRIPT = { id: null, name: "people:role", role: "owner" } as const;

test("entries written at once form one chain without gaps, in the order of their commits", async () => {
  await Promise.all(Array.from({ length: WRITERS }, (_, at) => record(`writer-${at}`)));
  const entries = await db.select().from(auditLog).orderBy(auditLog.id);
  expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: WRITERS }, (_, at) => at + 1));
  const hashes = entries.map(({ hash }) => hash);
  expect(entries.map(({ previousHash }) => previousHash)).toEqual(["", ...hashes.slice(0, -1)]);
  expect(await verifyAudit()).toEqual({ entries: WRITERS, lastHash: hashes.at(-1), brokenId: null });
});

test("an entry is written with its change or not at all", async () => {
  const before = await verifyAudit();
  const failed = db.transaction(async (tx) => {
    await recordAudit(tx, { actor: SCRIPT, action: "role.changed", subjectKind: "user", subjectId: "x" });
    throw new Error("The change failed");
  });
  await expect(failed).rejects.toThrow("The change failed");
  expect(await verifyAudit()).toEqual(before);
});

test.each([
  "UPDATE audit_log SET actor = 'somebody else'",
  "UPDATE audit_log SET actor = 'somebody else' WHERE id = 0",
  "DELETE FROM audit_log",
  "TRUNCATE audit_log",
  "INSERT INTO audit_log SELECT * FROM audit_log LIMIT 1 ON CONFLICT (id) DO UPDATE SET actor = 'somebody else'",
])("even the owner of the tables is refused: %s", async (statement) => {
  await record("kept");
  const kept = await db.select().from(auditLog);
  await expect(db.execute(sql.raw(statement))).rejects.toMatchObject({
    cause: { message: "audit_log is append-only" },
  });
  expect(await db.select().from(auditLog)).toEqual(kept);
});

test("a caller cannot choose an entry's position, time or hashes", async () => {
  const { entries } = await verifyAudit();
  await db.execute(sql`INSERT INTO audit_log (id, at, actor, action, subject_kind, subject_id, previous_hash, hash)
    VALUES (7, '2000-01-01', 'x', 'role.changed', 'user', 'y', 'forged', 'forged')`);
  const [newest] = await db.select().from(auditLog).orderBy(sql`id DESC`).limit(1);
  expect(newest?.id).toBe(entries + 1);
  expect(newest?.at.getFullYear()).toBeGreaterThan(2025);
  expect((await verifyAudit()).brokenId).toBeNull();
});

test("the deletion of an account leaves its entries readable", async () => {
  const member = await createMember();
  await db.transaction((tx) =>
    recordAudit(tx, {
      actor: { id: member.id, name: member.email, role: "editor" },
      action: "media.edited",
      subjectKind: "media",
      subjectId: "an-item",
    }),
  );
  await db.execute(sql`DELETE FROM users WHERE id = ${member.id}`);
  const [entry] = await db.select().from(auditLog).where(sql`actor_id = ${member.id}`);
  expect(entry).toMatchObject({ actor: member.email, action: "media.edited", subjectId: "an-item" });
});

test.each([
  ["a changed text", "UPDATE audit_log SET actor = 'somebody else' WHERE id = 3", 3],
  ["a changed fact", `UPDATE audit_log SET after = '{"role": "owner"}' WHERE id = 4`, 4],
  ["a moved time", "UPDATE audit_log SET at = at - interval '1 microsecond' WHERE id = 5", 5],
  ["a removed entry", "DELETE FROM audit_log WHERE id = 6", 7],
  ["a removed beginning", "DELETE FROM audit_log WHERE id = 1", 2],
])("the verification names the first entry that %s breaks", async (_, statement, brokenId) => {
  const rolledBack = new Error("Nothing of this stays");
  const tampering = db.transaction(async (tx) => {
    // Only a superuser may do this, or the owner of the table by removing the triggers.
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql.raw(statement));
    expect((await verifyAudit(tx)).brokenId).toBe(brokenId);
    throw rolledBack;
  });
  await expect(tampering).rejects.toBe(rolledBack);
  expect((await verifyAudit()).brokenId).toBeNull();
});

function record(subjectId: string): Promise<void> {
  return db.transaction((tx) =>
    recordAudit(tx, {
      actor: SCRIPT,
      action: "role.changed",
      subjectKind: "user",
      subjectId,
      before: { role: "member" },
      after: { role: "editor", note: "ünï\ncode", seconds: 0.5 },
    }),
  );
}
