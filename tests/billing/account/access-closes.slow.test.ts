import { get as httpGet, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { paths } from "#app/paths.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { startWorker } from "#tests/support/billing/worker-process.ts";
import { createVideo } from "#tests/support/media.ts";
import { addFile } from "#tests/support/media-site.ts";

const MEGABYTE = 1024 * 1024;
const WITHIN_MS = 10_000;

const shop = await startPaidSite({ dataDir: config.dataDir });
const worker = startWorker();
afterAll(() => Promise.all([shop.stop(), worker.kill()]));

const video = await addFile(localStorage(config.media.dir), Buffer.alloc(200 * MEGABYTE, 7));
const { slug } = await createVideo({ access: "subscriber" });

function openStream({ cookie }: Payer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpGet(
      `${shop.site.origin}${video.path}`,
      { headers: { cookie }, agent: false },
      resolve,
    );
    request.on("error", reject);
  });
}

const statusOf = async ({ cookie }: Payer) =>
  (await shop.site.fetch(video.path, { headers: { cookie, range: "bytes=0-9" } })).status;
const isPageOpen = async ({ cookie }: Payer) =>
  /<source[^>]*mp4/.test(
    await (await shop.site.fetch(paths.media("video", slug), { headers: { cookie } })).text(),
  );

test.each<[string, (id: string) => unknown]>([
  ["canceled at the provider's", (id) => shop.stripe.subscriptions.cancel(id)],
  ["paid back", (id) => shop.control.refund(id)],
  ["disputed at the bank", (id) => shop.control.dispute(id)],
])(
  "a page, a file and a running video close within ten seconds when a subscription is %s",
  async (_, end) => {
    const payer = await shop.createPayer();
    const id = await shop.buy(payer);
    await expect.poll(() => isPageOpen(payer), { timeout: 30_000, interval: 200 }).toBe(true);
    const stream = await openStream(payer);
    expect(stream.statusCode).toBe(200);
    let closedAt = 0;
    stream.on("data", () => {
      stream.pause();
      setTimeout(() => stream.resume(), 20);
    });
    stream.on("error", () => {});
    stream.on("close", () => {
      closedAt = Date.now();
    });
    await sleep(500);
    expect(closedAt).toBe(0);

    await end(id);
    await expect.poll(() => statusOf(payer), { timeout: 30_000, interval: 100 }).toBe(403);
    // From here on, the stored subscription itself has ended.
    const closing = Date.now();
    expect(await isPageOpen(payer)).toBe(false);
    await expect.poll(() => closedAt, { timeout: WITHIN_MS + 5_000, interval: 100 }).toBeGreaterThan(0);
    expect(closedAt - closing).toBeLessThan(WITHIN_MS);
  },
  90_000,
);
