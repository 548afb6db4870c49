import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { config } from "#app/config.server.ts";
import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import type { MediaStorage } from "#app/domain/media/storage/storage.ts";
import { sessionCookie } from "#app/web/session/session-cookie.server.ts";
import { db } from "#db/client.server.ts";
import { sessions, users } from "#db/schema/auth.ts";
import { media } from "#db/schema/catalog.ts";
import { mediaFiles } from "#db/schema/catalog-files.ts";
import { prices, products } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { adultCookie } from "./people.ts";
import { startSite } from "./site.ts";

/** A site, and this process's storage on the same media folder. */
export async function startBytesSite(env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "peony-bytes-"));
  const site = await startSite({ dataDir, env: { SESSION_SECRET: config.session.secret, ...env } });
  return { site, dataDir, storage: storageIn(dataDir) };
}

/** Of a site with this data folder, or of the object store in use. */
export function storageIn(dataDir: string): MediaStorage {
  return config.media.s3 === null ? localStorage(join(dataDir, "media")) : mediaStorage;
}

type MediaFacts = Partial<typeof media.$inferInsert>;
type FileFacts = Partial<typeof mediaFiles.$inferInsert>;

/** Stores `bytes` as a media file and returns its path. */
export async function addFile(
  storage: MediaStorage,
  bytes: Uint8Array,
  facts: MediaFacts = {},
  file: FileFacts = {},
) {
  const mediaId = randomUUID();
  const title = { title: "Slow water", slug: "slow-water", shortId: mediaId.slice(0, 8) };
  const published = { status: "published" as const, publishAt: new Date(Date.now() - 60_000) };
  await db.insert(media).values({ id: mediaId, type: "video", ...published, ...title, ...facts });
  const name = file.name ?? "video-720.mp4";
  const storageKey = `media/${mediaId}/${name}`;
  const stored = await storage.put(storageKey, bytes);
  const row = { mediaId, name, storageKey, contentType: "video/mp4", needs: "view" as const, ...stored };
  await db.insert(mediaFiles).values({ ...row, ...file });
  return { mediaId, path: `/media/${mediaId}/${name}`, hash: stored.sha256 };
}

/** The cookies of a new signed-in person past the age gate; the person is subscribed when a status is given. */
export async function cookiesOf(
  status?: (typeof subscriptions.$inferInsert)["status"],
  role: (typeof users.$inferInsert)["role"] = "member",
) {
  const email = `${randomUUID()}@example.org`;
  const [user] = await db.insert(users).values({ email, role }).returning();
  if (!user) throw new Error("no user");
  const token = randomBytes(32).toString("hex");
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db
    .insert(sessions)
    .values({ tokenHash: hashSecret(token), userId: user.id, expiresAt, device: "Test" });
  if (status) await subscribe(user.id, status);
  const cookie = `${await adultCookie()}; ${pair(await sessionCookie.serialize(token))}`;
  return { userId: user.id, cookie };
}

async function subscribe(userId: string, status: (typeof subscriptions.$inferInsert)["status"]) {
  await db.insert(products).values({ id: "prod_test", name: "All of it" }).onConflictDoNothing();
  const price = { productId: "prod_test", currency: "eur", unitAmount: 900, interval: "month" as const };
  await db
    .insert(prices)
    .values({ id: "price_test", ...price })
    .onConflictDoNothing();
  const start = new Date();
  await db.insert(subscriptions).values({
    id: `sub_${userId}`,
    userId,
    provider: "test",
    status,
    priceId: "price_test",
    currentPeriodStart: start,
    currentPeriodEnd: new Date(start.getTime() + 86_400_000),
  });
}

function pair(setCookie: string): string {
  return setCookie.split(";")[0] ?? "";
}
