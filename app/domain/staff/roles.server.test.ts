import { eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { requestDeletion } from "#app/domain/account/request-deletion.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { auditLog } from "#db/schema/staff.ts";
import { createMember } from "#tests/support/people.ts";
import type { Actor } from "./rights.ts";
import { changeRole, claimOwnership, isLastOwner, listStaff } from "./roles.server.ts";

const SCRIPT: Actor = { id: null, name: "people:role", role: "owner" };
const RACES = 10;

afterEach(async () => {
  await db.delete(users);
});

test("a role is given and taken by email address, in any case, and the log has both", async () => {
  const owner = await createMember({ role: "owner" });
  const member = await createMember();
  const actor: Actor = { id: owner.id, name: owner.email, role: "owner" };
  expect(await changeRole(actor, member.email.toUpperCase(), "editor")).toEqual({
    done: true,
    email: member.email,
    before: "member",
    after: "editor",
  });
  expect(await roleOf(member.id)).toBe("editor");
  await changeRole(actor, member.email, "member");
  expect(await roleOf(member.id)).toBe("member");
  const entries = await db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subjectId, member.id))
    .orderBy(auditLog.id);
  expect(entries.map(({ actor: name, actorId, before, after }) => [name, actorId, before, after])).toEqual([
    [owner.email, owner.id, facts(member.email, "member"), facts(member.email, "editor")],
    [owner.email, owner.id, facts(member.email, "editor"), facts(member.email, "member")],
  ]);
});

test("an address without an account gets no role, and only owners give one", async () => {
  const member = await createMember();
  expect(await changeRole(SCRIPT, "nobody@example.com", "editor")).toMatchObject({ done: false });
  const publisher: Actor = { id: member.id, name: member.email, role: "publisher" };
  expect(await changeRole(publisher, member.email, "owner")).toMatchObject({ done: false });
  expect(await roleOf(member.id)).toBe("member");
});

test("the last owner keeps the role and the account", async () => {
  const owner = await createMember({ role: "owner" });
  expect(await changeRole(SCRIPT, owner.email, "member")).toMatchObject({ done: false });
  expect(await requestDeletion(owner.id)).toBe("lastOwner");
  expect(await roleOf(owner.id)).toBe("owner");

  const second = await createMember({ role: "owner" });
  expect(await requestDeletion(second.id)).toBe("requested");
  // An owner whose account is about to be deleted does not count.
  expect(await isLastOwner(owner.id)).toBe(true);
  expect(await changeRole(SCRIPT, owner.email, "member")).toMatchObject({ done: false });
  expect(await changeRole(SCRIPT, second.email, "member")).toMatchObject({ done: true });
});

test.each<[string, (person: Person) => Promise<unknown>]>([
  ["resign", ({ email }: Person) => changeRole(SCRIPT, email, "member")],
  ["delete their accounts", ({ id }: Person) => requestDeletion(id)],
])("one of two owners who %s at once stays", async (_, leave) => {
  for (let race = 0; race < RACES; race += 1) {
    const owners = [await createMember({ role: "owner" }), await createMember({ role: "owner" })];
    await Promise.all(owners.map(leave));
    const left = await db.select().from(users).where(eq(users.role, "owner"));
    expect(left.filter(({ deletionRequestedAt }) => deletionRequestedAt === null)).toHaveLength(1);
    await db.delete(users);
  }
});

test("ownership is claimed once, while there is no owner, and never from one who is there", async () => {
  const first = await createMember();
  const second = await createMember();
  await claimOwnership("nobody@example.com");
  await Promise.all([claimOwnership(first.email), claimOwnership(second.email)]);
  const owners = await db.select().from(users).where(eq(users.role, "owner"));
  expect(owners).toHaveLength(1);
  const entries = await db.select().from(auditLog).where(eq(auditLog.actor, "OWNER_EMAIL"));
  expect(entries.map(({ subjectId }) => subjectId)).toEqual([owners[0]?.id]);
  await claimOwnership(second.email);
  await claimOwnership(first.email);
  expect(await db.$count(users, eq(users.role, "owner"))).toBe(1);
});

test("the list has everybody with a role, the owners first, and no members", async () => {
  const editor = await createMember({ role: "editor", email: "a@example.com" });
  const owner = await createMember({ role: "owner", email: "b@example.com" });
  await createMember();
  expect((await listStaff()).map(({ id, role }) => [id, role])).toEqual([
    [owner.id, "owner"],
    [editor.id, "editor"],
  ]);
});

interface Person {
  id: string;
  email: string;
}

async function roleOf(id: string): Promise<string | undefined> {
  const [user] = await db.select({ role: users.role }).from(users).where(eq(users.id, id));
  return user?.role;
}

function facts(email: string, role: string) {
  return { email, role };
}
