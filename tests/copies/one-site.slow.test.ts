import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { LIMITS, takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { syncOffer } from "#app/domain/billing/sync/write-offer.server.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { customers } from "#db/schema/customers.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type StripeStandIn, startStripeStandIn } from "#demo/stripe/stand-in.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { clientOf, submit, WEBHOOK_SECRET } from "#tests/support/billing/stand-in-site.ts";
import { type Balancer, startBalancer } from "#tests/support/copies/balancer.ts";
import { type Copy, startCopy } from "#tests/support/copies/copy.ts";
import { startEventFork } from "#tests/support/copies/event-fork.ts";
import { startMailServer } from "#tests/support/copies/mail-server.ts";
import { openVideo, readSlowly } from "#tests/support/front/watch-video.ts";
import { followLive } from "#tests/support/live/live-reader.ts";
import { addFile } from "#tests/support/media-site.ts";
import { createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { Jar } from "../support/cookie-jar.ts";

const SECRET_KEY = "sk_test_ofthetest";
const VIDEO_BYTES = 96 * 1024 * 1024;
/** Bytes may outlive their access for so long. */
const ENDS_WITHIN_MS = 10_000;
const TICKS_WITHIN_MS = 200_000;

await buildWhenStale();
const mails = await startMailServer();
let one: Copy;
let two: Copy;
let balancer: Balancer;
let standIn: StripeStandIn;
const events = await startEventFork(() =>
  [one, two].map(({ origin }) => origin + paths.api.billingWebhook("stripe")),
);
let video: Awaited<ReturnType<typeof addFile>>;
let photo: Awaited<ReturnType<typeof addFile>>;

beforeAll(async () => {
  const storage = localStorage(config.media.dir);
  video = await addFile(storage, Buffer.alloc(VIDEO_BYTES, 7), { durationSeconds: 600 });
  photo = await addFile(
    storage,
    Buffer.alloc(5_000, 7),
    { type: "photoSet" },
    { name: "photo-1-480.webp", contentType: "image/webp" },
  );
  standIn = await startStripeStandIn({
    secretKey: SECRET_KEY,
    webhook: { url: events.url, secret: WEBHOOK_SECRET },
  });
  await logQueuedJobs();
  const env = {
    SMTP_URL: mails.url,
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: standIn.origin,
  };
  [one, two] = await Promise.all([startCopy({ env }), startCopy({ env })]);
  balancer = await startBalancer([one.port, two.port]);
}, 300_000);

afterAll(async () => {
  await Promise.all([one.kill(), two.kill(), standIn.stop()]);
  await balancer.stop();
  events.stop();
  await mails.stop();
});

test("a sign-in at one copy, by an email that is sent once, counts at the other", async () => {
  const email = "reader@example.com";
  const jar = new Jar(one);
  await jar.post("/enter", { next: "/" });
  await jar.post("/signin", { email, next: "/" });
  await expect.poll(() => mails.mailsTo(email).length, { timeout: 60_000 }).toBe(1);
  const [, code = ""] = /^([0-9A-Z]{8})\r?$/m.exec(mails.mailsTo(email)[0]?.raw ?? "") ?? [];
  const atTwo = new Jar(two);
  for (const pair of jar.header().split("; ")) atTwo.set(...halves(pair));
  expect((await atTwo.post("/signin/code", { code })).status).toBe(303);
  const account = await one.fetch("/user/account", { headers: { cookie: atTwo.header() } });
  expect(account.status).toBe(200);
  expect(mails.mailsTo(email)).toHaveLength(1);
});

test("sign-in emails for one network are counted over both copies", async () => {
  const address = "198.51.100.7";
  for (let taken = 10; taken < LIMITS.mailByClient.points; taken += 1)
    await takePoint("mailByClient", address);
  const statuses: number[] = [];
  for (let index = 0; index < 12; index += 1) {
    const jar = new Jar(index % 2 === 0 ? one : two, { "X-Forwarded-For": address });
    statuses.push((await jar.post("/signin", { email: `network-${index}@example.com`, next: "/" })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(303), 429, 429]);
  const everyMail = () => statuses.map((_, index) => mails.mailsTo(`network-${index}@example.com`).length);
  await expect.poll(everyMail, { timeout: 60_000 }).toEqual([...Array(10).fill(1), 0, 0]);
});

test("signing out everywhere at one copy ends what the other remembers, and a running video", async () => {
  const { id } = await createMember();
  await subscribe(id);
  const [here, there] = [await signedInCookie(id), await signedInCookie(id)];
  const photoAtTwo = async () => (await two.fetch(photo.path, { headers: { cookie: there } })).status;
  expect(await photoAtTwo()).toBe(200);
  const stream = await openVideo(two.origin + video.path, there);
  expect(stream.statusCode).toBe(200);
  const closed = readSlowly(stream);

  const out = await one.fetch("/user/account/sign-out-everywhere", {
    method: "POST",
    headers: { cookie: here, "sec-fetch-site": "same-origin" },
  });
  const signedOutAt = Date.now();
  expect(out.status).toBe(303);
  await vi.waitUntil(async () => (await photoAtTwo()) === 403, { timeout: ENDS_WITHIN_MS, interval: 250 });
  expect(await closed).toBeLessThan(VIDEO_BYTES);
  expect(Date.now() - signedOutAt).toBeLessThan(ENDS_WITHIN_MS);
});

test("progress saved at one copy reaches the member's other device at the other copy, and through the balancer", async () => {
  const { id } = await createMember();
  await subscribe(id);
  const [here, there, another] = [
    await signedInCookie(id),
    await signedInCookie(id),
    await signedInCookie(id),
  ];
  const readers = await Promise.all([followLive(two, there), followLive(balancer, another)]);
  onTestFinished(() => readers.forEach(({ close }) => void close()));
  // The first stream of a process says that it may have missed something, once it hears announcements.
  const save = () =>
    one.fetch("/api/views", {
      method: "POST",
      headers: { cookie: here, "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ mediaId: video.mediaId, progress: "60" }),
    });
  const haveAll = () => readers.every(({ events }) => events.join().includes(video.mediaId));
  await vi.waitUntil(async () => (await save()).status === 200 && haveAll(), {
    timeout: 30_000,
    interval: 3_000,
  });
});

test("an event of the payment provider that arrives at both copies at once has one effect", async () => {
  const stripe = clientOf(standIn);
  standIn.control.webhooks({ mode: "drop" });
  const product = await stripe.products.create({ name: "Membership" });
  const recurring = { interval: "month" } as const;
  const price = await stripe.prices.create({
    product: product.id,
    currency: "usd",
    unit_amount: 1499,
    recurring,
  });
  config.billing.stripe = {
    secretKey: SECRET_KEY,
    webhookSecrets: [WEBHOOK_SECRET],
    apiUrl: standIn.origin,
  };
  await syncOffer({ isDryRun: false });
  standIn.control.webhooks({});

  const payer = await createMember();
  const metadata = { site: config.billing.site, user: payer.id };
  const customer = await stripe.customers.create({ email: payer.email, metadata });
  await db
    .insert(customers)
    .values({ userId: payer.id, provider: "stripe", providerCustomerId: customer.id });
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    metadata,
    subscription_data: { metadata },
    success_url: `${one.origin}/`,
    cancel_url: `${one.origin}/`,
  });
  await submit(session.url, { card: "4242" });
  await standIn.control.idle();

  const openEvents = () => db.$count(billingEvents, sql`processed_at IS NULL`);
  await expect.poll(() => mails.mailsTo(payer.email).length, { timeout: 60_000 }).toBeGreaterThan(0);
  await expect.poll(openEvents, { timeout: 60_000 }).toBe(0);
  expect(events.statuses.length).toBeGreaterThan(6);
  expect(events.statuses.every((status) => status === 200)).toBe(true);
  expect(await db.$count(billingEvents)).toBeLessThanOrEqual(events.statuses.length / 2);
  expect(await db.select().from(subscriptions).where(eq(subscriptions.userId, payer.id))).toMatchObject([
    { status: "active", provider: "stripe" },
  ]);
  const [begun, ...others] = mails.mailsTo(payer.email);
  expect(begun?.raw).toMatch(/^Subject: .*Receipt for your new subscription/m);
  expect(others).toEqual([]);
}, 120_000);

test("a scheduled job is queued once a minute, while both workers run", async () => {
  const pools = await db.execute(sql`SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'peony-worker pool-%'`);
  // Each has one for the provider's jobs, one for long ones, and one for the rest.
  expect(pools).toHaveLength(6);
  const perMinute = () =>
    db.execute<{ times: number }>(sql`SELECT count(*)::int AS times FROM queued_jobs
      WHERE name = 'release-due-media' GROUP BY date_trunc('minute', at)`);
  const sparingly = { timeout: TICKS_WITHIN_MS, interval: 1_000 };
  await expect.poll(async () => (await perMinute()).length, sparingly).toBeGreaterThan(1);
  expect([...new Set((await perMinute()).map(({ times }) => times))]).toEqual([1]);
}, 240_000);

/** A table of all jobs that were queued in this database from now on. */
async function logQueuedJobs(): Promise<void> {
  await db.execute(sql`CREATE TABLE queued_jobs (name text, at timestamptz)`);
  await db.execute(sql`CREATE FUNCTION log_queued_job() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO public.queued_jobs
        SELECT identifier, NEW.created_at FROM graphile_worker._private_tasks WHERE id = NEW.task_id;
      RETURN NULL;
    END $$`);
  await db.execute(sql`CREATE TRIGGER log_queued_job AFTER INSERT ON graphile_worker._private_jobs
    FOR EACH ROW EXECUTE FUNCTION log_queued_job()`);
}

function halves(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}
