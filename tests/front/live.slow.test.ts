import { eq } from "drizzle-orm";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { db } from "#db/client.server.ts";
import { sessions } from "#db/schema/auth.ts";
import { CLOCK_SPEED, movedClock } from "#tests/support/fast-site.ts";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { followLive } from "#tests/support/live/live-reader.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";

/** An announcement takes less than a second; a connection may outlive its session by ten. */
const ANNOUNCED_WITHIN_MS = 5_000;
const ENDS_WITHIN_MS = 10_000;

const site = await startFrontSite();
afterAll(() => site.stop());

async function follow(cookie: string) {
  const connection = await followLive(site, cookie);
  onTestFinished(connection.close);
  expect(connection.status).toBe(200);
  return connection;
}

test("an event passes nginx at once, and does not reach the browser that caused it", async () => {
  const { id } = await createMember();
  const { id: mediaId } = await createVideo({ access: "free" });
  const [here, there] = [await signedInCookie(id), await signedInCookie(id)];
  const [own, other] = [await follow(here), await follow(there)];
  expect(other.headers.get("content-type")).toContain("text/event-stream");
  expect(other.headers.get("cache-control")).toContain("no-store");
  expect(other.headers.get("content-encoding")).toBeNull();
  const said = await post(here, "/api/favorites", { mediaId, isFavorited: "true" });
  expect(said.status).toBe(200);
  await expect
    .poll(() => other.events, { timeout: ANNOUNCED_WITHIN_MS })
    .toContain(`changed {"kind":"favorite","mediaId":"${mediaId}"}`);
  expect(own.events.join()).not.toContain("favorite");
});

test("a connection ends with its session, by a sign-out and by a deletion", async () => {
  const [signedOut, deleted] = [await createMember(), await createMember()];
  const cookie = await signedInCookie(signedOut.id);
  const [first, second] = [await follow(cookie), await follow(await signedInCookie(deleted.id))];
  await post(cookie, "/signout", {});
  await db.delete(sessions).where(eq(sessions.userId, deleted.id));
  await expect.poll(() => first.hasEnded(), { timeout: ENDS_WITHIN_MS }).toBe(true);
  await expect.poll(() => second.hasEnded(), { timeout: ENDS_WITHIN_MS }).toBe(true);
  expect([first.events.at(-1), second.events.at(-1)]).toEqual(["ended {}", "ended {}"]);
});

// tests/live/heartbeat.slow.test.ts waits at real speed, for longer than nginx waits for a silent site.
test("heartbeats pass nginx, also when the clock moves", async () => {
  const fast = await startFrontSite(movedClock("live connections"));
  onTestFinished(fast.stop);
  const connection = await followLive(fast, await signedInCookie((await createMember()).id));
  const beats = () => connection.events.filter((event) => event === "heartbeat {}").length;
  await expect.poll(beats, { timeout: (3 * 30_000) / CLOCK_SPEED, interval: 100 }).toBe(2);
  expect(connection.hasEnded()).toBe(false);
  connection.close();
});

function post(cookie: string, path: string, fields: Record<string, string>): Promise<Response> {
  return site.fetch(path, {
    method: "POST",
    headers: { cookie, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams(fields),
  });
}
