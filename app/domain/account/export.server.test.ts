import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { knownBrowsers, signinTokens } from "#db/schema/auth.ts";
import { draftLinks } from "#db/schema/catalog.ts";
import { favorites } from "#db/schema/favorites.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { videoSlots, views } from "#db/schema/viewing.ts";
import { createPhotoSet, createVideo } from "#tests/support/media.ts";
import { createMember, letDeletionFallDue, signedInCookie, subscribe } from "#tests/support/people.ts";
import { profileForm } from "../auth/profile-fields.ts";
import { savePhotoFavorite } from "../favorites/photo-favorites.server.ts";
import { deleteAccount } from "./delete-account.server.ts";
import { exportOwnData } from "./export.server.ts";

test("the export holds every table that refers to a user", async () => {
  const member = await createFullMember();
  const data: Record<string, unknown[]> = await exportOwnData(member.id);
  for (const { table } of await tablesOfUsers()) expect(Object.keys(data)).toContain(table);
  for (const table of [
    "users",
    "sessions",
    "known_browsers",
    "draft_links",
    "subscriptions",
    "favorites",
    "photo_favorites",
    "views",
  ])
    expect(data[table]).toHaveLength(1);
  expect(data.photo_favorites).toMatchObject([{ mediaId: expect.any(String), photo: 1, position: 1 }]);
  expect(JSON.stringify(data)).not.toContain("tokenHash");
});

test("the export says when each known browser signed in, but not its id", async () => {
  const member = await createFullMember();
  const { known_browsers } = await exportOwnData(member.id);
  expect(known_browsers).toEqual([{ lastSignInAt: expect.any(Date) }]);
});

test("the export holds the person's sign-in requests and emails, but no working code or link", async () => {
  const member = await createFullMember();
  await createFullMember();
  const data = await exportOwnData(member.id);
  const at = expect.any(Date);
  expect(data.signin_tokens).toEqual([
    {
      createdAt: at,
      expiresAt: at,
      usedAt: null,
      linkUsedAt: null,
      linkUsedDevice: null,
      revokedAt: null,
      device: "Firefox",
      network: "192.0.2.0/24",
    },
  ]);
  expect(data.mail_outbox).toEqual([{ kind: "t", subject: "s", createdAt: at, sentAt: null }]);
  const text = JSON.stringify(data);
  for (const secret of ["-token", "-code", "-browser", "-draft", "letter with a link"])
    expect(text).not.toContain(secret);
});

test("a deleted account leaves no row and no address, and others keep theirs", async () => {
  const member = await createFullMember();
  const other = await createFullMember();
  expect(await deleteAccount(member.id)).toBe("kept");
  await letDeletionFallDue(member.id);
  expect(await deleteAccount(member.id)).toBe("deleted");
  for (const { table, column } of await tablesOfUsers()) {
    expect(await countOf(table, column, member.id)).toBe(0);
  }
  // This table names its user without a foreign key.
  expect(await countOf("video_slots", "holder_id", member.id)).toBe(0);
  const [mails] = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM mail_outbox WHERE "to" = ${member.email}`,
  );
  expect(mails?.count).toBe(0);
  expect(await countOf("favorites", "user_id", other.id)).toBe(1);
});

test("a profile form accepts its own fields and nothing else", () => {
  const own = { full_name: "A", line1: "", line2: "", city: "", region: "", postalCode: "", country: "pt" };
  expect(profileForm.safeParse(own).success).toBe(true);
  for (const key of ["role", "email", "id", "isAdmin", "avatar_url", "payment_method"]) {
    expect(profileForm.safeParse({ ...own, [key]: "owner" }).success).toBe(false);
  }
});

async function createFullMember() {
  const member = await createMember();
  const video = await createVideo();
  const { id: mediaId } = await createPhotoSet();
  await savePhotoFavorite(member.id, { mediaId, photo: 1 }, true);
  await signedInCookie(member.id);
  await subscribe(member.id);
  await db.insert(favorites).values({ userId: member.id, mediaId: video.id });
  await db.insert(views).values({ userId: member.id, mediaId: video.id });
  await db.insert(draftLinks).values({
    mediaId,
    makerId: member.id,
    tokenHash: `${member.id}-draft`,
    expiresAt: new Date(),
  });
  await db.insert(knownBrowsers).values({ userId: member.id, browserHash: `${member.id}-browser` });
  await db.insert(videoSlots).values({ holderId: member.id, slot: 1, leaseId: video.id });
  await db
    .insert(mailOutbox)
    .values({ kind: "t", to: member.email, subject: "s", html: "h", text: "a letter with a link" });
  await db.insert(signinTokens).values({
    email: member.email.toUpperCase(),
    tokenHash: `${member.id}-token`,
    codeHash: `${member.id}-code`,
    browserHash: `${member.id}-browser`,
    device: "Firefox",
    network: "192.0.2.0/24",
    expiresAt: new Date(),
  });
  return member;
}

async function tablesOfUsers() {
  return db.execute<{ table: string; column: string }>(sql`
    SELECT c.conrelid::regclass::text AS "table", a.attname AS "column"
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
    WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass`);
}

async function countOf(table: string, column: string, userId: string): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM ${sql.identifier(table)} WHERE ${sql.identifier(column)} = ${userId}`,
  );
  return row?.count ?? -1;
}
