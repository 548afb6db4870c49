import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { digestTables } from "../support/database/digest.ts";
import { createPhotoSet, createVideo, type TestMedia } from "../support/media.ts";
import { createMember, signedInCookie, subscribe } from "../support/people.ts";
import { listRoutes } from "../support/route-manifest.ts";
import { startSite } from "../support/site.ts";

const HOUR_MS = 3_600_000;
const hidden: Record<string, TestMedia> = {
  draft: await createVideo({ status: "draft" }),
  hidden: await createPhotoSet({ status: "hidden" }),
  deleted: await createVideo({ status: "deleted" }),
  scheduled: await createVideo({ status: "scheduled", publishAt: new Date(Date.now() + HOUR_MS) }),
  "not due": await createPhotoSet({ publishAt: new Date(Date.now() + HOUR_MS) }),
  expired: await createVideo({ expireAt: new Date(Date.now() - HOUR_MS) }),
  takenDown: await createVideo({ status: "takenDown" }),
};
/** Every action that takes the id of an item, with its form fields. */
const FORMS: Record<string, { path: string; fields: Record<string, string> }[]> = {
  "routes/api.favorites": [
    {},
    { isFavorited: "true" },
    { isFavorited: "false" },
    { isFavorited: "maybe" },
    { isFavorited: "true", photo: "1" },
    { isFavorited: "false", photo: "1" },
  ].map((fields) => ({ path: paths.api.favorites(), fields: fields as Record<string, string> })),
  "routes/api.views": [{ progress: "5" }, { progress: "5", sequence: "1" }, { progress: "soon" }].map(
    (fields) => ({
      path: paths.api.views(),
      fields: fields as Record<string, string>,
    }),
  ),
  "routes/api.views_.$action": (["start-over", "seen", "hide", "forget"] as const).map((name) => ({
    path: paths.api.viewsAction(name),
    fields: {},
  })),
};
/** This action takes no id. */
const WITHOUT_ID = ["routes/api.views_.forget-all"];

// Eight requests at once open as many connections to the database, while other tests keep the processors busy.
const site = await startSite();
afterAll(() => site.stop());

test("this file tests every action of views and favorites", async () => {
  const actions = (await listRoutes())
    .filter(({ id, hasAction }) => hasAction && /^routes\/api\.(views|favorites)/.test(id))
    .map(({ id }) => id);
  expect(actions.sort()).toEqual([...Object.keys(FORMS), ...WITHOUT_ID].sort());
});

test.each(Object.values(FORMS).flat())(
  "$path with $fields answers a hidden item byte for byte like an unknown id, and stores no row",
  async ({ path, fields }) => {
    for (const isSubscriber of [false, true]) {
      const { id: userId } = await createMember();
      if (isSubscriber) await subscribe(userId);
      const cookie = await signedInCookie(userId);
      for (const next of [{}, { next: "/about" }]) {
        const ask = async (mediaId: string) => {
          const answer = await site.fetch(path, {
            method: "POST",
            headers: { cookie, origin: site.origin },
            body: new URLSearchParams({ mediaId, ...fields, ...(next as Record<string, string>) }),
          });
          const location = answer.headers.get("location")?.replace(mediaId, "id") ?? null;
          return { status: answer.status, location, body: (await answer.text()).replaceAll(mediaId, "id") };
        };
        await db.delete(rateLimits);
        const before = await digestWithoutVisits();
        const answers = Object.fromEntries(
          await Promise.all(
            Object.entries(hidden).map(async ([state, { id }]) => [state, await ask(id)] as const),
          ),
        );
        const nothing = await ask(randomUUID());
        const expected = Object.fromEntries(Object.keys(hidden).map((state) => [state, nothing]));
        expect(answers, `${path} ${JSON.stringify({ ...fields, ...next })}`).toEqual(expected);
        expect(await digestWithoutVisits()).toEqual(before);
      }
    }
  },
);

/** Every request may update the time of the last visit, once a minute. */
async function digestWithoutVisits() {
  await db.execute(sql`UPDATE users SET last_seen_at = NULL, previous_visit_at = NULL`);
  const { "public.rate_limits": _, "public.users": __, ...digest } = await digestTables();
  return digest;
}
