import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import sharp from "sharp";
import { recordSubscriptionChange } from "#app/domain/billing/subscriptions/subscription-changes.server.ts";
import { confirmBulk } from "#app/domain/catalog/edit/bulk/bulk-changes.server.ts";
import { findEditableCreator, saveCreator } from "#app/domain/catalog/edit/names/edit-creators.server.ts";
import { renameTag } from "#app/domain/catalog/edit/names/edit-tags.server.ts";
import { savePortrait } from "#app/domain/catalog/edit/names/portraits.server.ts";
import { changeState } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { saveFavorite } from "#app/domain/favorites/favorites.server.ts";
import { savePhotoFavorite } from "#app/domain/favorites/photo-favorites.server.ts";
import { storeAvatar } from "#app/domain/media/avatar.server.ts";
import { saveSiteSection } from "#app/domain/site/edit-site.server.ts";
import { NO_SETTINGS } from "#app/domain/site/settings.ts";
import { changeRole, findActor } from "#app/domain/staff/roles.server.ts";
import { declareBatch } from "#app/domain/uploads/batches.server.ts";
import { takeLock } from "#app/domain/uploads/upload-locks.server.ts";
import { writePiece } from "#app/domain/uploads/write-piece.server.ts";
import { saveProgress } from "#app/domain/viewing/save-progress.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import {
  cancellationReasons,
  customers,
  invoices,
  prices,
  products,
  subscriptions,
  trials,
} from "#db/schema/billing.ts";
import { runScript } from "../process/built-script.ts";
import { HOST_SETTINGS, OWNER, type startHostedSite } from "./hosted-site.ts";

const ENCODED_WITHIN_MS = 900_000;
/** The site is restored years later, and some of its subscriptions are still paid then. */
const MUCH_LATER = new Date("2096-05-31T12:00:00Z");
const ROOM = async () => ({ freeBytes: 1e12, quotaBytes: 1e12 });

const VIDEOS = {
  "slow-water": `
title: Slow Water
description: Light on a river, one long take.
creators: [Vesper Quill, Ines Marlow]
tags: [Water, Long takes]
produced: 2026-04-02
shoot: The river
chapters: [{ at: "0:00", title: Rain }, { at: "0:01", title: Sun }]
captions: [{ language: en, label: English, file: slow-water.vtt }]`,
  "harbor-lights": `
title: Harbor Lights
creators: [Ines Marlow]
tags: [Night]
access: free
download: yes`,
  "night-train": `
title: Night Train
creators: [Vesper Quill]
tags: [Night]
date: 2096-05-31`,
  "old-mill": `
title: The Old Mill
creators: [Tomas Reed]
tags: [Water]`,
};
const SETS = {
  "reading-room": `
title: The Reading Room
creators: [Vesper Quill]
tags: [Paper]
shoot: The river
photos: [{ file: 1.jpg, alt: A chair at a window, preview: yes }]`,
  "paper-garden": `
title: Paper Garden
creators: [Tomas Reed]
tags: [Paper]
access: member
download: yes`,
};

/** A small site with something of everything that a host, the staff and members leave in the database and on the disk. */
export async function fillSite(site: Awaited<ReturnType<typeof startHostedSite>>): Promise<void> {
  await site.signIn(OWNER);
  for (const name of ["editor", "active", "trialing", "overdue", "leaving", "ended", "guest"]) {
    await site.signIn(`${name}@peony.example`);
  }
  await giveRoles();
  await importMedia();
  await untilEncoded();
  await editCatalog();
  await setUpSite();
  await sell();
  await watch();
  await upload();
  // The worker does what this queued, apart from what is due in years.
  await sleep(10_000);
}

async function giveRoles(): Promise<void> {
  const owner = await actor("owner");
  const given = await changeRole(owner, "editor@peony.example", "publisher");
  if (!given.done) throw new Error(given.error);
}

async function importMedia(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "peony-source-"));
  await writeFile(join(folder, "slow-water.vtt"), "WEBVTT\n\n00:00.000 --> 00:01.000\nIt rains.\n");
  for (const [index, [name, sidecar]] of Object.entries(VIDEOS).entries()) {
    const picture = `gradients=size=320x180:rate=10:duration=2:seed=${index + 1}:speed=0.01`;
    const sound = `sine=frequency=${300 + index * 50}:duration=2`;
    const inputs = ["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", sound];
    const encoding = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "32k"];
    execFileSync("ffmpeg", ["-v", "error", ...inputs, ...encoding, join(folder, `${name}.mp4`)]);
    await writeFile(join(folder, `${name}.yaml`), sidecar);
  }
  for (const [index, [name, sidecar]] of Object.entries(SETS).entries()) {
    await mkdir(join(folder, name));
    for (const photo of [1, 2, 3]) {
      await writeFile(join(folder, name, `${photo}.jpg`), await picture(index * 90 + photo * 30));
    }
    await writeFile(join(folder, name, "media.yaml"), sidecar);
  }
  const { code, stdout, stderr } = await runScript("import-media", [folder, "--publish"], HOST_SETTINGS);
  await rm(folder, { recursive: true });
  if (code !== 0) throw new Error(stdout + stderr);
}

async function untilEncoded(): Promise<void> {
  for (const deadline = Date.now() + ENCODED_WITHIN_MS; ; await sleep(500)) {
    const [left] = await db.execute<{ open: number; failed: number }>(sql`
      SELECT count(*) FILTER (WHERE state IN ('waiting', 'running'))::int AS open,
        count(*) FILTER (WHERE state = 'failed')::int AS failed FROM media_work`);
    if (left?.open === 0 && left.failed === 0) return;
    if (left?.failed || Date.now() > deadline) throw new Error(`Not encoded: ${JSON.stringify(left)}`);
  }
}

async function editCatalog(): Promise<void> {
  const publisher = await actor("editor");
  const id = await idOf("creators", "Vesper Quill");
  const opened = await findEditableCreator(id);
  if (opened === null) throw new Error("There is no such creator");
  const { text, aliases, links } = opened.values;
  await saveCreator(publisher, id, "text", text, { ...text, bio: "Works with light and *water*." });
  await saveCreator(publisher, id, "aliases", aliases, { aliases: ["Vee", "V. Quill"] });
  await saveCreator(publisher, id, "links", links, {
    links: [{ label: "Site", url: "https://example.com/" }],
  });
  await savePortrait(publisher, id, await picture(200), "Vesper at a window");
  const other = await idOf("creators", "Ines Marlow");
  const before = (await findEditableCreator(other))?.values.text;
  if (before)
    await saveCreator(publisher, other, "text", before, {
      ...before,
      name: "Ines Marlowe",
      slug: "ines-marlowe",
    });
  await renameTag(publisher, await idOf("tags", "Long takes"), { name: "Long takes" }, { name: "One take" });
  await changeState(publisher, await idOf("media", "The Old Mill"), "takeDown", {
    reason: "At her request.",
  });
  const ids = [await idOf("media", "Slow Water"), await idOf("media", "Paper Garden")];
  await confirmBulk(publisher, { ids }, { kind: "addTag", name: "Favorites of the house" });
}

async function setUpSite(): Promise<void> {
  const owner = await actor("owner");
  const before = NO_SETTINGS;
  const name = { siteName: "Rosewater", headline: "Slow films.", words: "Made by *four* people." };
  for (const [section, values] of [
    ["name", name],
    ["color", { accent: "#8c3b4a" }],
    ["about", { about: "# About\n\nWe film slowly." }],
    ["alarms", { alarmAddresses: "alarms@peony.example" }],
    ["time", { timeZone: "Europe/Berlin" }],
  ] as const) {
    const saved = await saveSiteSection(owner, section, before, { ...before, ...values });
    if (!saved.saved) throw new Error(JSON.stringify(saved));
  }
}

async function sell(): Promise<void> {
  await db.insert(products).values({ id: "prod_all", name: "All of it" });
  const common = { productId: "prod_all", currency: "usd" };
  await db.insert(prices).values([
    { ...common, id: "price_month", unitAmount: 1499, interval: "month", trialPeriodDays: 7 },
    { ...common, id: "price_year", unitAmount: 11_900, interval: "year" },
  ]);
  const begun = { currentPeriodStart: new Date(), currentPeriodEnd: MUCH_LATER };
  const past = { currentPeriodStart: daysAgo(60), currentPeriodEnd: daysAgo(30), created: daysAgo(60) };
  await addSubscription("active", { ...begun, status: "active", priceId: "price_year", nextAmount: 11_900 });
  await addSubscription("trialing", {
    ...{ ...begun, status: "trialing", trialStart: new Date(), trialEnd: MUCH_LATER, nextAmount: 1499 },
  });
  await addSubscription("overdue", { ...past, status: "past_due", nextAmount: 1499 });
  await addSubscription("leaving", {
    ...{ ...begun, status: "active", cancelAtPeriodEnd: true, cancelAt: MUCH_LATER, canceledAt: new Date() },
  });
  await addSubscription("ended", {
    ...past,
    status: "canceled",
    canceledAt: daysAgo(40),
    endedAt: daysAgo(30),
  });
  await db.insert(cancellationReasons).values({ subscriptionId: "sub_leaving", reason: "pause" });
  await db.insert(trials).values({ subscriptionId: "sub_trialing", addressHash: "0".repeat(64) });
}

async function addSubscription(
  name: string,
  given: Pick<typeof subscriptions.$inferInsert, "status" | "currentPeriodStart" | "currentPeriodEnd"> &
    Partial<typeof subscriptions.$inferInsert>,
): Promise<void> {
  const userId = await personCalled(name);
  const [id, priceId] = [`sub_${name}`, given.priceId ?? "price_month"];
  const total = priceId === "price_year" ? 11_900 : 1499;
  const isPaid = given.status !== "past_due";
  await db.insert(customers).values({ userId, provider: "stripe", providerCustomerId: `cus_${name}` });
  await db.transaction(async (tx) => {
    await tx.insert(subscriptions).values({ ...given, id, userId, priceId, provider: "stripe" });
    await recordSubscriptionChange(tx, id);
  });
  await db.insert(invoices).values({
    ...{ id: `in_${name}`, userId, subscriptionId: id, number: `R-${name}`, currency: "usd", total },
    ...{
      status: isPaid ? "paid" : "open",
      amountPaid: isPaid ? total : 0,
      amountRemaining: isPaid ? 0 : total,
    },
    ...{ periodStart: given.currentPeriodStart, periodEnd: given.currentPeriodEnd },
    ...{ createdAt: given.currentPeriodStart, paidAt: isPaid ? given.currentPeriodStart : null },
    hostedUrl: "https://pay.example/invoice",
  });
}

async function watch(): Promise<void> {
  const userId = await personCalled("active");
  const avatar = await storeAvatar(
    userId,
    await sharp(await picture(40))
      .resize(64, 64)
      .webp()
      .toBuffer(),
  );
  await db
    .update(users)
    .set({ full_name: "Ada Active", avatar_url: paths.avatar(userId, avatar) })
    .where(eq(users.id, userId));
  const [water, harbor, room] = await Promise.all(
    ["Slow Water", "Harbor Lights", "The Reading Room"].map((title) => idOf("media", title)),
  );
  if (!water || !harbor || !room) throw new Error("Something is missing");
  await saveProgress({ userId, mediaId: water, progress: 1 });
  await saveProgress({ userId, mediaId: room, progress: 2 });
  await saveProgress({ userId: await personCalled("guest"), mediaId: harbor, progress: 1 });
  for (const mediaId of [water, room]) await saveFavorite(userId, mediaId, true);
  await savePhotoFavorite(userId, { mediaId: room, photo: 2 }, true);
}

/** One photo set that is imported, and a video that is still coming. */
async function upload(): Promise<void> {
  const userId = await personCalled("editor");
  const bytes = await picture(300);
  const files = [
    { path: "Glass Hours/1.jpg", bytes: bytes.length, fingerprint: "1" },
    { path: "Glass Hours/2.jpg", bytes: 5_000_000, fingerprint: "2" },
  ];
  for (const chosen of [files.slice(0, 1), files.slice(1)]) {
    const declared = await declareBatch(userId, chosen, ROOM);
    if ("problem" in declared) throw new Error(declared.problem);
    if (chosen[0]?.fingerprint === "2") continue;
    const [coming] = await db.execute<{ id: string }>(
      sql`SELECT id FROM uploads WHERE state = 'uploading' ORDER BY path LIMIT 1`,
    );
    const uploadId = coming?.id ?? "";
    const lock = await takeLock(
      { userId, uploadId },
      { signal: AbortSignal.timeout(5_000), onWanted: () => {} },
    );
    if (typeof lock === "string") throw new Error(lock);
    await writePiece({ userId, uploadId, token: lock.token, offset: 0 }, inOnePiece(bytes), ROOM);
    await lock.release();
  }
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function picture(hue: number): Promise<Buffer> {
  const background = { r: hue % 256, g: (hue * 3) % 256, b: 120 };
  return sharp({ create: { width: 400, height: 500, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

async function actor(name: string) {
  const found = await findActor(await personCalled(name));
  if (found === null) throw new Error(`${name} has no account`);
  return found;
}

function personCalled(name: string): Promise<string> {
  return onlyId(sql`SELECT id FROM users WHERE email = ${`${name}@peony.example`}`);
}

function idOf(table: "creators" | "tags" | "media", name: string): Promise<string> {
  const column = sql.identifier(table === "media" ? "title" : "name");
  return onlyId(sql`SELECT id FROM ${sql.identifier(table)} WHERE ${column} = ${name}`);
}

async function onlyId(query: ReturnType<typeof sql>): Promise<string> {
  const [row] = await db.execute<{ id: string }>(query);
  if (row === undefined) throw new Error("There is no such row");
  return row.id;
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000);
}
