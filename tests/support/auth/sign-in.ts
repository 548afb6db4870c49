import { eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { sessions, users } from "#db/schema/auth.ts";
import { Jar } from "../cookie-jar.ts";
import type { Site } from "../site.ts";

/** Requests an email as Firefox on Linux does. */
export async function requestSignIn(site: Site, email: string): Promise<Jar> {
  const jar = new Jar(site, {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  });
  const response = await jar.post("/signin", { email, next: "/" });
  expect(response.headers.get("location")).toBe(paths.noCookies("mail", paths.signInCode()));
  return jar;
}

/** The number of the active sessions of an address. */
export async function sessionsOf(email: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(sql`${users.email} = ${email} AND ${sessions.revokedAt} IS NULL`);
  return row?.count ?? 0;
}
