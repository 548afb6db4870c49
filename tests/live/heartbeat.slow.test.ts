import { afterAll, beforeAll, test } from "vitest";
import { startFrontSite } from "../support/front/front-site.ts";
import { followLive, untilListening } from "../support/live/live-reader.ts";
import { createVideo } from "../support/media.ts";
import { createMember, signedInCookie } from "../support/people.ts";

/** After which nginx gives a silent site up. */
const READ_TIMEOUT_MS = 60_000;

const site = await startFrontSite();
afterAll(() => site.stop());

beforeAll(() => untilListening(site));

test("an event passes nginx at once, and does not reach the browser that caused it", async ({ expect }) => {
  const { id } = await createMember();
  const { id: mediaId } = await createVideo({ access: "free" });
  const here = await signedInCookie(id);
  const [own, other] = [await followLive(site, here), await followLive(site, await signedInCookie(id))];
  expect(other.headers.get("content-encoding")).toBeNull();
  const said = await site.fetch("/api/favorites", {
    method: "POST",
    headers: { cookie: here, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ mediaId, isFavorited: "true" }),
  });
  expect(said.status).toBe(200);
  await expect
    .poll(() => other.events, { timeout: 5_000 })
    .toContain(`changed {"kind":"favorite","mediaId":"${mediaId}"}`);
  expect(own.events.join()).not.toContain("favorite");
  own.close();
  other.close();
});

test.concurrent("a quiet live connection gets a heartbeat within thirty seconds and stays open", async ({
  expect,
}) => {
  const connection = await followLive(site.direct, await signedInCookie((await createMember()).id));
  await expect.poll(() => connection.events, { timeout: 40_000 }).toEqual(["heartbeat {}"]);
  await new Promise((resolve) => setTimeout(resolve, 45_000));
  expect(connection.hasEnded()).toBe(false);
  expect(connection.events.length).toBeGreaterThanOrEqual(2);
  connection.close();
}, 100_000);

test.concurrent("heartbeats keep a quiet live connection open behind nginx", async ({ expect }) => {
  const connection = await followLive(site, await signedInCookie((await createMember()).id));
  await expect.poll(() => beats(connection.events), { timeout: 40_000 }).toBe(1);
  await expect.poll(() => beats(connection.events), { timeout: READ_TIMEOUT_MS + 20_000 }).toBe(3);
  expect(connection.hasEnded()).toBe(false);
  connection.close();
}, 140_000);

function beats(events: string[]): number {
  return events.filter((event) => event === "heartbeat {}").length;
}
