import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { DAY_MS } from "#app/dates.ts";
import { undoLink } from "#app/domain/account/pending-deletion.server.ts";
import { cancelLink, withdrawLink } from "#app/domain/billing/subscriptions/signed-links.server.ts";
import { savePhotoFavorite } from "#app/domain/favorites/photo-favorites.server.ts";
import { changeRole } from "#app/domain/staff/roles.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { checkouts, customers, invoices, subscriptions, withdrawals } from "#db/schema/billing.ts";
import { creators, videos } from "#db/schema/catalog.ts";
import { mediaFiles } from "#db/schema/catalog-files.ts";
import { favorites } from "#db/schema/favorites.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { views } from "#db/schema/viewing.ts";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import {
  adultCookie,
  createMember,
  letSignInGrowOld,
  signedInCookie,
  subscribe,
} from "#tests/support/people.ts";

/** More than one page of a list. */
const REELS = 25;
/** Has a role. */
export const STAFF_EMAIL = "colleague@example.com";

export type HtmlLibrary = Awaited<ReturnType<typeof createHtmlLibrary>>;

/** Enough data that every part of every page appears, including titles that need escaping. */
export async function createHtmlLibrary() {
  const creator = await createCreator({ name: "Ann & Co", aliases: ["A. <n>"], bio: "Works with “light”." });
  const links = [{ label: "Site", url: "https://example.com/?a=1&b=2" }];
  await db.update(creators).set({ links }).where(eq(creators.id, creator.id));
  const videoCreator = await createCreator({ name: "Cy" });
  await createVideo({ creators: [videoCreator.id] });
  const newcomer = await createCreator({ name: "Bo" });
  const common = { creators: [creator.id], tags: ["Silk & Paper"], shootId: randomUUID() };
  const free = await createVideo({
    ...common,
    title: "One <two> & three",
    access: "free",
    allowDownload: true,
  });
  const gated = await createVideo(common);
  const set = await createPhotoSet({ ...common, photos: 12, previews: 1, allowDownload: true });
  const takenDown = await createVideo({ ...common, title: "Gone", status: "takenDown" });
  const coming = await createPhotoSet({ ...common, title: "Soon & <later>", photos: 2, status: "scheduled" });
  for (let index = 0; index < REELS; index += 1) await createVideo({ title: `Reel ${index}` });
  await addExtras(free.id);
  await addExtras(gated.id);
  await db.insert(mailOutbox).values({
    kind: "sign-in",
    to: "somebody@example.com",
    subject: "Your link",
    html: "",
    text: "Follow http://localhost:3000/signin/verify?token=a&b=c or see https://example.com/",
  });
  return {
    creator,
    videoCreator,
    newcomer,
    free,
    gated,
    set,
    takenDown,
    coming,
    ...(await createPeople([free.id, set.id, gated.id], [set.id, coming.id])),
    cancelLinks: await createCancelLinks(),
    withdrawLinks: await createWithdrawLinks(),
    keepLink: await createKeepLink(),
  };
}

async function addExtras(mediaId: string): Promise<void> {
  await db
    .update(videos)
    .set({ markers: [0, 60].map((atSeconds) => ({ atSeconds, title: `At <${atSeconds}>` })) })
    .where(eq(videos.mediaId, mediaId));
  const file = { mediaId, bytes: 1, needs: "view" as const, sha256: "0".repeat(64), crc32: 0 };
  await db.insert(mediaFiles).values([
    { ...file, name: "video-720.mp4", storageKey: `${mediaId}/720`, contentType: "video/mp4", height: 720 },
    {
      ...file,
      name: "captions-en.vtt",
      storageKey: `${mediaId}/vtt`,
      contentType: "text/vtt",
      label: "English",
    },
  ]);
}

/** More invoices than are shown at first, in every state, with and without links. */
async function addInvoices(userId: string): Promise<void> {
  const states = ["paid", "open", "void", "uncollectible", "paid", "paid", "paid", "draft"] as const;
  await db.insert(invoices).values(
    states.map((status, index) => ({
      id: `in_${index}`,
      userId,
      status,
      number: index % 2 ? null : `A&B-${index}`,
      currency: "eur",
      total: 1200,
      amountPaid: status === "paid" ? 1200 : 0,
      amountRemaining: status === "open" ? 1200 : 0,
      amountRefunded: index > 4 ? 200 * index : 0,
      periodStart: new Date(),
      periodEnd: new Date(),
      createdAt: new Date(),
      hostedUrl: index === 3 ? null : "https://pay.example/?a=1&b=2",
      pdfUrl: index === 3 ? null : "https://pay.example/a.pdf",
    })),
  );
}

/** The links of emails for one subscription of each status. */
async function createCancelLinks(): Promise<string[]> {
  const links: string[] = [];
  for (const status of ["active", "trialing", "past_due", "canceled"] as const) {
    const { id: userId } = await createMember();
    const id = await subscribe(userId, status);
    const { pathname, search } = new URL(cancelLink({ id, userId }));
    links.push(pathname + search);
  }
  return links;
}

/** Cookie headers, and one person's purchases. */
async function createPeople(mediaIds: string[], setIds: string[]) {
  const plain = await createMember({ fullName: "Ada “A” Marlowe" });
  const subscriber = await createMember();
  const purchases = await createPurchases(subscriber.id, await subscribe(subscriber.id));
  const overdue = await createMember();
  await subscribe(overdue.id, "past_due");
  await db
    .insert(customers)
    .values({ userId: overdue.id, provider: "stripe", providerCustomerId: "cus_who_owes" });
  const leaver = await createMember();
  const leftId = await subscribe(leaver.id);
  await db
    .update(subscriptions)
    .set({ cancelAtPeriodEnd: true, provider: "former" })
    .where(eq(subscriptions.id, leftId));
  await addInvoices(leaver.id);
  const waiting = await createMember();
  const requestedId = await subscribe(waiting.id);
  await db
    .update(subscriptions)
    .set({ requestedChange: "cancel", requestedAt: new Date(), isRequestOpen: true })
    .where(eq(subscriptions.id, requestedId));
  const unrenewed = await createMember();
  await subscribe(unrenewed.id, "active", { periodEnd: new Date(Date.now() - 3 * DAY_MS) });
  const busy = await createMember({ fullName: "Ada Marlowe" });
  await subscribe(busy.id);
  const avatar_url = paths.avatar(busy.id, "0".repeat(32));
  await db.update(users).set({ avatar_url }).where(eq(users.id, busy.id));
  for (const mediaId of mediaIds) {
    await db.insert(favorites).values({ userId: busy.id, mediaId });
    await db.insert(views).values({ userId: busy.id, mediaId, progress: 4 });
  }
  for (const mediaId of setIds) {
    for (const { id } of [busy, overdue]) await savePhotoFavorite(id, { mediaId, photo: 2 }, true);
  }
  const stale = await createMember();
  const staleCookie = await signedInCookie(stale.id);
  await letSignInGrowOld(stale.id);
  const closing = await createMember();
  await db.update(users).set({ deletionRequestedAt: new Date() }).where(eq(users.id, closing.id));
  const owner = await createMember({ fullName: "The “Owner”", role: "owner" });
  const staleOwner = await createMember({ role: "owner" });
  const staleOwnerCookie = await signedInCookie(staleOwner.id);
  await letSignInGrowOld(staleOwner.id, "2 hours");
  const olderOwner = await createMember({ role: "owner" });
  const olderOwnerCookie = await signedInCookie(olderOwner.id);
  await letSignInGrowOld(olderOwner.id, "2 days");
  await changeRole(
    { id: null, name: "people:role", role: "owner" },
    (await createMember({ email: STAFF_EMAIL })).email,
    "editor",
  );
  const people = {
    nobody: "",
    visitor: await adultCookie(),
    member: await signedInCookie(plain.id),
    subscriber: await signedInCookie(subscriber.id),
    "member who owes": await signedInCookie(overdue.id),
    "member who leaves": await signedInCookie(leaver.id),
    "member who waits for the provider": await signedInCookie(waiting.id),
    "member who is not renewed": await signedInCookie(unrenewed.id),
    "member who signed in long ago": staleCookie,
    "member whose account is to be deleted": await signedInCookie(closing.id),
    "subscriber with things": await signedInCookie(busy.id),
    owner: await signedInCookie(owner.id),
    "owner who signed in hours ago": staleOwnerCookie,
    "owner who signed in days ago": olderOwnerCookie,
  };
  return { people, purchases };
}

/**
 * The ids of purchases that are: completed; open with an unreachable provider; completed with a second trial;
 * completed but unconfirmed; waiting for a bank transfer; expired; replaced.
 */
async function createPurchases(userId: string, subscriptionId: string): Promise<string[]> {
  const common = {
    userId,
    priceId: "price_test_monthly",
    provider: "stripe",
    currency: "eur",
    unitAmount: 1200,
    interval: "month",
    intervalCount: 1,
    consentText: "I agree",
    consentHash: "0".repeat(64),
  } as const;
  const ended = await subscribe(userId, "canceled", { periodEnd: new Date() });
  const ordered = await subscribe(userId, "incomplete");
  await db.update(subscriptions).set({ isPaymentPending: true }).where(eq(subscriptions.id, ordered));
  const rows = await db
    .insert(checkouts)
    .values([
      { ...common, status: "completed", subscriptionId },
      { ...common, status: "open", providerCheckoutId: "cs_open" },
      { ...common, status: "completed", subscriptionId: ended, trialDays: 7 },
      { ...common, status: "completed" },
      { ...common, status: "completed", subscriptionId: ordered },
      { ...common, status: "expired" },
      { ...common, status: "replaced" },
    ])
    .returning({ id: checkouts.id });
  return rows.map(({ id }) => id);
}

/** The link of the email about a deletion. */
async function createKeepLink(): Promise<string> {
  const { id: userId } = await createMember();
  await db
    .update(users)
    .set({ deletionRequestedAt: new Date(0) })
    .where(eq(users.id, userId));
  const { pathname, search } = new URL(undoLink({ userId, requestedAt: "0.000000", deletesAt: new Date(0) }));
  return pathname + search;
}

/** The links for a contract that can be withdrawn from, one that is too late, and one that was withdrawn from. */
async function createWithdrawLinks(): Promise<string[]> {
  const links: string[] = [];
  for (const kind of ["possible", "late", "received"] as const) {
    const { id: userId } = await createMember();
    const id = await subscribe(userId);
    if (kind === "late") {
      await db
        .update(subscriptions)
        .set({ created: new Date(0) })
        .where(eq(subscriptions.id, id));
    }
    if (kind === "received") await db.insert(withdrawals).values({ subscriptionId: id, userId });
    const { pathname, search } = new URL(withdrawLink({ id, userId }));
    links.push(pathname + search);
  }
  return links;
}
