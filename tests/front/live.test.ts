import { eq } from "drizzle-orm";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { db } from "#db/client.server.ts";
import { sessions } from "#db/schema/auth.ts";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { followLive } from "#tests/support/live/live-reader.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";

/** An announcement takes less than a second; a stream may outlive its session by ten. */
const ANNOUNCED_WITHIN_MS = 5_000;
const ENDS_WITHIN_MS = 10_000;
/** After which nginx gives a silent site up. */
const READ_TIMEOUT_MS = 60_000;

const site = await startFrontSite();
afterAll(() => site.stop());

async function follow(cookie: string) {
  const stream = await followLive(site, cookie);
  onTestFinished(stream.close);
  expect(stream.status).toBe(200);
  return stream;
}

test("an event passes nginx at once, and the browser that caused it does not hear of it", async () => {
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

test("a stream ends with its session, by a sign-out and by a deletion", async () => {
  const [signedOut, deleted] = [await createMember(), await createMember()];
  const cookie = await signedInCookie(signedOut.id);
  const [first, second] = [await follow(cookie), await follow(await signedInCookie(deleted.id))];
  await post(cookie, "/signout", {});
  await db.delete(sessions).where(eq(sessions.userId, deleted.id));
  await expect.poll(() => first.hasEnded(), { timeout: ENDS_WITHIN_MS }).toBe(true);
  await expect.poll(() => second.hasEnded(), { timeout: ENDS_WITHIN_MS }).toBe(true);
  expect([first.events.at(-1), second.events.at(-1)]).toEqual(["ended {}", "ended {}"]);
});

test("heartbeats pass nginx and keep a quiet stream open", async () => {
  const stream = await follow(await signedInCookie((await createMember()).id));
  await expect.poll(() => beats(stream.events), { timeout: 40_000 }).toBe(1);
  await expect.poll(() => beats(stream.events), { timeout: READ_TIMEOUT_MS + 20_000 }).toBe(3);
  expect(stream.hasEnded()).toBe(false);
}, 140_000);

function beats(events: string[]): number {
  return events.filter((event) => event === "heartbeat {}").length;
}

function post(cookie: string, path: string, fields: Record<string, string>): Promise<Response> {
  return site.fetch(path, {
    method: "POST",
    headers: { cookie, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams(fields),
  });
}
