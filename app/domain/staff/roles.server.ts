import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { recordAudit } from "./audit.server.ts";
import { type Actor, mayDo, RIGHTS, ROLES, type Role } from "./rights.ts";

/** For a row `u` of users. Whoever has asked for the deletion of their account no longer acts for the site. */
export function isPresent(u: SQL): SQL {
  return sql`${u}.deletion_requested_at IS NULL`;
}

const IS_OWNER = and(eq(users.role, "owner"), isPresent(sql`${users}`));

export interface StaffMember {
  id: string;
  email: string;
  role: Role;
  lastSeenAt: Date | null;
}

export async function listStaff(): Promise<StaffMember[]> {
  const found = await db
    .select({ id: users.id, email: users.email, role: users.role, lastSeenAt: users.lastSeenAt })
    .from(users)
    .where(ne(users.role, "member"))
    .orderBy(users.email);
  return found.sort((one, other) => ROLES.indexOf(other.role) - ROLES.indexOf(one.role));
}

export async function findActor(
  userId: string,
  executor: Executor = db,
): Promise<(Actor & { id: string }) | null> {
  const [found] = await executor
    .select({ id: users.id, name: users.email, role: users.role })
    .from(users)
    .where(and(eq(users.id, userId), isPresent(sql`${users}`)));
  return found ?? null;
}

export async function hasOwner(executor: Executor = db): Promise<boolean> {
  return (await executor.$count(users, IS_OWNER)) > 0;
}

export async function listOwnerAddresses(executor: Executor = db): Promise<string[]> {
  const owners = await executor
    .select({ email: users.email })
    .from(users)
    .where(IS_OWNER)
    .orderBy(users.email);
  return owners.map(({ email }) => email);
}

/** In a transaction, the answer holds until its end. */
export async function isLastOwner(userId: string, executor: Executor = db): Promise<boolean> {
  await lockOwners(executor);
  const [own, others] = [
    await executor.$count(users, and(IS_OWNER, eq(users.id, userId))),
    await executor.$count(users, and(IS_OWNER, ne(users.id, userId))),
  ];
  return own > 0 && others === 0;
}

export type RoleChange =
  | { done: true; email: string; before: Role; after: Role }
  | { done: false; error: string };

const UNKNOWN = "Nobody with this email address has signed in yet. Ask them to sign in once, then try again.";
const LAST_OWNER =
  "This is the only owner, and a site needs one. Make someone else an owner first, then try again.";

/** Takes effect with the next request, because the change is announced. */
export async function changeRole(
  actor: Actor,
  email: string,
  role: Role,
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<RoleChange> {
  if (!mayDo(actor, "site")) return { done: false, error: "Only an owner can change roles." };
  return db.transaction(async (tx) => {
    await lockOwners(tx);
    const [user] = await tx
      .select({ id: users.id, email: users.email, role: users.role })
      .from(users)
      .where(sql`lower(${users.email}) = lower(${email})`);
    if (user === undefined) return { done: false, error: UNKNOWN };
    const change = { done: true, email: user.email, before: user.role, after: role } as const;
    if (user.role === role) return change;
    if (await isLastOwner(user.id, tx)) return { done: false, error: LAST_OWNER };
    if (!isDryRun) await writeRole(tx, actor, user, role);
    return change;
  });
}

export async function claimOwnership(email: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOwners(tx);
    if (await hasOwner(tx)) return;
    const [user] = await tx
      .select({ id: users.id, email: users.email, role: users.role })
      .from(users)
      .where(sql`lower(${users.email}) = lower(${email})`);
    if (user === undefined || user.role === "owner") return;
    await writeRole(tx, { id: null, name: "OWNER_EMAIL", role: "owner" }, user, "owner");
  });
}

async function writeRole(
  tx: Transaction,
  actor: Actor,
  user: { id: string; email: string; role: Role },
  role: Role,
): Promise<void> {
  await tx.update(users).set({ role }).where(eq(users.id, user.id));
  const draftLinks = RIGHTS[role].includes("media.edit") ? 0 : await revokeDraftLinks(tx, user.id);
  await recordAudit(tx, {
    actor,
    action: "role.changed",
    subjectKind: "user",
    subjectId: user.id,
    before: { email: user.email, role: user.role },
    after: { email: user.email, role, ...(draftLinks > 0 ? { draftLinks } : {}) },
  });
}

/** Returns how many worked until now. */
async function revokeDraftLinks(tx: Transaction, makerId: string): Promise<number> {
  const revoked = await tx.execute(sql`UPDATE draft_links SET revoked_at = now()
    WHERE maker_id = ${makerId} AND revoked_at IS NULL AND expires_at > now() RETURNING id`);
  return revoked.length;
}

/** Two owners who resign at once would each count the other. */
async function lockOwners(executor: Executor): Promise<void> {
  await executor.execute(sql`SELECT pg_advisory_xact_lock(hashtext('owners'))`);
}
