import { eq } from "drizzle-orm";
import { createSession, listDevices } from "#app/domain/auth/sessions.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { favorites } from "#db/schema/favorites.ts";
import { views } from "#db/schema/viewing.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";

const STOPPED_AT = 40;

/** Two of them are past the gate or signed in, but not both. */
export const PEOPLE = [
  "nobody",
  "no age proof",
  "visitor",
  "member",
  "subscriber",
  "lapsed",
  "other member",
  "owner",
] as const;
export type Person = (typeof PEOPLE)[number];

/** Whose things a request is about: the column "member" asks for their own, every other column for somebody else's. */
export interface Target {
  userId: string;
  /** A second device of theirs. */
  sessionId: string;
  /** A favorite of theirs, seen up to `progress`. */
  mediaId: string;
  viewId: string;
}

export interface Caller {
  cookie: string;
  target: Target;
}

/** A new person for every request, because many requests end a session or an account. */
export async function newCaller(person: Person, mediaId: string): Promise<Caller> {
  const actor = await createMember(person === "owner" ? { role: "owner" } : {});
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
  return { cookie: await cookieOf(person, actor.id), target: { ...own, ...view, sessionId } };
}

export async function isSignedInOn({ userId, sessionId }: Target): Promise<boolean> {
  return (await listDevices(userId)).some((device) => device.sessionId === sessionId);
}

export async function nameOf({ userId }: Target): Promise<string | null | undefined> {
  const [row] = await db.select({ name: users.full_name }).from(users).where(eq(users.id, userId));
  return row?.name;
}

export async function isAsLeft({ userId, viewId }: Target): Promise<boolean> {
  const [view] = await db.select().from(views).where(eq(views.id, viewId));
  const [favorite] = await db.select().from(favorites).where(eq(favorites.userId, userId));
  const hasPlace = view?.progress === STOPPED_AT && view.completedAt === null && view.hiddenAt === null;
  return hasPlace && favorite?.isFavorited === true;
}

async function cookieOf(person: Person, userId: string): Promise<string> {
  if (person === "nobody") return "";
  if (person === "visitor") return adultCookie();
  const both = await signedInCookie(userId);
  return person === "no age proof" ? (both.split("; ")[0] ?? "") : both;
}
