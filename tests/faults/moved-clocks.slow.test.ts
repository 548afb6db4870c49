import { pathToFileURL } from "node:url";
import { eq, sql } from "drizzle-orm";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { sessions } from "#db/schema/auth.ts";
import { media } from "#db/schema/catalog.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { Jar } from "#tests/support/cookie-jar.ts";
import { createVideo, type TestMedia } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

const MINUTES = 60;
const OFF_SECONDS = 10 * MINUTES;
const WEBHOOK_SECRET = "whsec_ofthetest";
const PRELOAD = `--import=${pathToFileURL("tests/support/process/shifted-clock.mjs").href}`;
const CLOCKS = [
  ["ten minutes ahead", OFF_SECONDS],
  ["ten minutes behind", -OFF_SECONDS],
] as const;

const ago = (seconds: number) => sql`now() - make_interval(secs => ${seconds})`;
const ahead = (seconds: number) => ago(-seconds);

describe.each(CLOCKS)("with the site's clock %s", (_, offSeconds) => {
  let site: Site;
  let video: TestMedia;
  const statusOf = async (path: string, cookie: string) =>
    (await site.fetch(path, { headers: { cookie }, method: path.startsWith("/media/") ? "HEAD" : "GET" }))
      .status;

  beforeAll(async () => {
    video = await createVideo({ access: "subscriber", withFiles: true });
    site = await startSite({
      dataDir: config.dataDir,
      env: {
        NODE_OPTIONS: PRELOAD,
        CLOCK_SHIFT_MS: String(offSeconds * 1000),
        STRIPE_SECRET_KEY: "sk_test_ofthetest",
        STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
        STRIPE_API_URL: "http://127.0.0.1:9",
      },
    });
  });
  afterAll(() => site.stop());

  test("the test's clock is shifted as stated", async () => {
    const jar = new Jar(site);
    await jar.post("/enter", { next: "/" });
    // The cookie contains the time of its creation.
    const [given = ""] = decodeURIComponent(jar.get("adult") ?? "").split(".");
    const { givenAt } = JSON.parse(Buffer.from(given, "base64").toString());
    expect(Math.abs(givenAt * 1000 - Date.now() - offSeconds * 1000)).toBeLessThan(2 * MINUTES * 1000);
  });

  test.each([
    [1, 302],
    [-60, 200],
  ])("a session that ended %i s ago gives %i", async (seconds, status) => {
    const { id } = await createMember();
    const cookie = await signedInCookie(id);
    await db
      .update(sessions)
      .set({ expiresAt: ago(seconds) })
      .where(eq(sessions.userId, id));
    expect(await statusOf(paths.account(), cookie)).toBe(status);
  });

  test("an age proof is valid, whether this site issued it or one with the right clock", async () => {
    expect(await statusOf("/", await adultCookie())).toBe(200);
    const jar = new Jar(site);
    await jar.post("/enter", { next: "/" });
    expect((await jar.visit("/")).status).toBe(200);
  });

  test.each([
    ["publish_at", 60, 404],
    ["publish_at", -60, 200],
    ["expire_at", 60, 200],
    ["expire_at", -60, 404],
  ] as const)("media whose %s is %i s ahead gives %i, page and bytes", async (column, seconds, status) => {
    const { id } = await createMember();
    await subscribe(id);
    const cookie = await signedInCookie(id);
    const item = await createVideo({ withFiles: true });
    const when = ahead(seconds);
    await db
      .update(media)
      .set(column === "publish_at" ? { publishAt: when } : { expireAt: when })
      .where(eq(media.id, item.id));
    expect(await statusOf(paths.media("video", item.slug), cookie)).toBe(status);
    expect(await statusOf(paths.mediaFile(item.id, "video-360.mp4"), cookie)).toBe(status);
  });

  test.each([
    // Access continues for two more days, because the provider's renewal may arrive late.
    ["active", 2 * 24 * 3600 - 60, false, 200],
    ["active", 2 * 24 * 3600 + 60, false, 403],
    ["active", -60, true, 200],
    ["active", 60, true, 403],
  ] as const)(
    "a subscription %s that ended %i s ago, canceled: %s, gives %i",
    async (status, seconds, isEnding, answer) => {
      const { id } = await createMember();
      const subscription = await subscribe(id, status);
      await db
        .update(subscriptions)
        .set({ currentPeriodEnd: ago(seconds), cancelAtPeriodEnd: isEnding })
        .where(eq(subscriptions.id, subscription));
      const cookie = await signedInCookie(id);
      expect(await statusOf(paths.mediaFile(video.id, "video-360.mp4"), cookie)).toBe(answer);
      // The account page agrees with the media access.
      const account = await (await site.fetch(paths.account(), { headers: { cookie } })).text();
      expect(account.includes("You have access to everything")).toBe(answer === 200);
      if (isEnding) expect(/has ended|ended on/.test(account)).toBe(answer === 403);
    },
  );

  test.each([
    [0, 200],
    [4 * MINUTES, 200],
    [6 * MINUTES, 400],
  ])("an event signed %i s ago gives %i", async (seconds, status) => {
    const payload = JSON.stringify({
      id: `evt_${offSeconds + OFF_SECONDS}_${seconds}`,
      object: "event",
      created: Math.floor(Date.now() / 1000),
      type: "customer.subscription.updated",
      data: {
        object: { id: "sub_unknown", customer: "cus_unknown", metadata: { site: config.billing.site } },
      },
    });
    const timestamp = Math.floor(Date.now() / 1000) - seconds;
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: WEBHOOK_SECRET,
      timestamp,
    });
    const answer = await site.fetch(paths.api.billingWebhook("stripe"), {
      method: "POST",
      body: payload,
      headers: { "stripe-signature": signature },
    });
    expect(answer.status).toBe(status);
  });

  test("the player counts from the database's time, so that Start over is older than later progress", async () => {
    const { id } = await createMember();
    await subscribe(id);
    const cookie = await signedInCookie(id);
    const page = await (
      await site.fetch(`${paths.media("video", video.slug)}.data`, { headers: { cookie } })
    ).text();
    const serverNow = Number(/"serverNow\\?",(\d+)/.exec(page)?.[1]);
    expect(Math.abs(serverNow - Date.now())).toBeLessThan(2 * MINUTES * 1000);
  });
});
