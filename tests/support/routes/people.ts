import { eq } from "drizzle-orm";
import { findProfile } from "#app/domain/auth/profile.server.ts";
import { createSession } from "#app/domain/auth/sessions.server.ts";
import { ROLES, type Role } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { favorites } from "#db/schema/favorites.ts";
import { views } from "#db/schema/viewing.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";

const STOPPED_AT = 40;

/** "no age proof" is signed in but not past the gate; "visitor" is past the gate but not signed in. */
export const PEOPLE = [
  "nobody",
  "no age proof",
  "visitor",
  "member",
  "subscriber",
  "lapsed",
  "other member",
  "editor",
  "publisher",
  "records",
  "owner",
] as const;
export type Person = (typeof PEOPLE)[number];

/** The owner of the data in a request: "member" requests their own, everybody else another person's. */
export interface Target {
  userId: string;
  /** The session of their second device. */
  sessionId: string;
  /** Media in their favorites, viewed up to `progress`. */
  mediaId: string;
  viewId: string;
  email: string;
}

export interface Caller {
  cookie: string;
  target: Target;
}

/** Every request has a new person, because many requests end a session or an account. */
export async function newCaller(person: Person, mediaId: string): Promise<Caller> {
  const actor = await createMember({ role: roleOf(person) });
  if (person === "subscriber" || person === "no age proof") await subscribe(actor.id);
  if (person === "lapsed") await subscribe(actor.id, "canceled");
  const victim = person === "member" ? actor : await createMember();
  const { sessionId } = await createSession({ userId: victim.id, device: "Tablet", network: null });
  const own = { userId: victim.id, mediaId };
  const [view] = await db
    .insert(views)
    .values({ ...own, progress: STOPPED_AT })
    .returning({ viewId: views.id });
  if (!view) throw new Error("The view was not stored");
  await db.insert(favorites).values(own);
  return {
    cookie: await cookieOf(person, actor.id),
    target: { ...own, ...view, sessionId, email: victim.email },
  };
}

/** People of the staff are called by their role. */
export function roleOf(person: Person): Role {
  return ROLES.find((role) => role === person) ?? "member";
}

export async function isSignedInOn({ userId, sessionId }: Target): Promise<boolean> {
  const profile = await findProfile(userId);
  return profile?.devices.some((device) => device.sessionId === sessionId) ?? false;
}

export async function nameOf({ userId }: Target): Promise<string | null | undefined> {
  const [row] = await db.select({ name: users.full_name }).from(users).where(eq(users.id, userId));
  return row?.name;
}

export async function hasRole(userId: string): Promise<boolean> {
  const [row] = await db.select({ role: users.role }).from(users).where(eq(users.id, userId));
  return row !== undefined && row.role !== "member";
}

/** Whether the account's deletion was requested. */
export async function isClosing({ userId }: Target): Promise<boolean> {
  const [row] = await db.select({ at: users.deletionRequestedAt }).from(users).where(eq(users.id, userId));
  return row?.at !== null;
}

export async function isAsLeft({ userId, viewId }: Target): Promise<boolean> {
  const [view] = await db.select().from(views).where(eq(views.id, viewId));
  const [favorite] = await db.select().from(favorites).where(eq(favorites.userId, userId));
  const hasProgress = view?.progress === STOPPED_AT && view.completedAt === null && view.hiddenAt === null;
  return hasProgress && favorite?.isFavorited === true;
}

async function cookieOf(person: Person, userId: string): Promise<string> {
  if (person === "nobody") return "";
  if (person === "visitor") return adultCookie();
  const both = await signedInCookie(userId);
  return person === "no age proof" ? (both.split("; ")[0] ?? "") : both;
}
