import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { undoLink } from "#app/domain/account/request-deletion.server.ts";
import { cancelLink, withdrawLink } from "#app/domain/billing/subscriptions/signed-links.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits, users } from "#db/schema/auth.ts";
import { digestTables } from "#tests/support/database/digest.ts";
import { subscribe } from "#tests/support/people.ts";
import { listRoutes } from "#tests/support/route-manifest.ts";
import { startSite } from "#tests/support/site.ts";
import { problemOf } from "../support/forms.ts";
import { createLibrary } from "../support/routes/library.ts";
import { newCaller } from "../support/routes/people.ts";
import { listRows } from "../support/routes/rows.ts";

const library = await createLibrary();
const rows = listRows(library);
const actions = (await listRoutes()).filter(({ hasAction }) => hasAction).map(({ id }) => id);
const site = await startSite({ dataDir: config.dataDir });
afterAll(() => site.stop());

/** Actions whose address alone says what to do: their form has no field that could be missing. */
const NEED_NO_FIELDS = [
  // The action empties the history.
  "routes/api.views_.forget-all: public.views",
  // The action ends this session.
  "routes/signout: public.sessions",
  // The action restores the initials.
  "routes/user.account_.avatar-removal: public.users",
  // The action ends all sessions of the member.
  "routes/user.account_.sign-out-everywhere: public.sessions",
];

const FORMS: Record<string, Record<string, string>> = {
  empty: {},
  nonsense: {
    intent: "nonsense",
    confirm: "perhaps",
    event: "NOTHING",
    plan: "none",
    mediaId: "x",
    code: "?",
  },
  mistyped: { intent: "Cancel ", isFavorited: "yes", sessionId: "all", theme: "blue", progress: "soon" },
};

test.each(Object.keys(FORMS))(
  "a form that is %s changes no row in any action",
  async (kind) => {
    const changed: string[] = [];
    for (const route of actions) {
      const subscriber = await newSubscriber();
      const before = await digest();
      for (const path of subscriber.pathsOf(route)) {
        const answer = await send(path, FORMS[kind], subscriber.cookie);
        expect(answer.status, `${route} to a form that is ${kind}`).toBeLessThan(500);
      }
      const after = await digest();
      const tables = Object.keys(after).filter((table) => after[table] !== before[table]);
      if (tables.length > 0) changed.push(`${route}: ${tables.join()}`);
    }
    expect(changed.sort()).toEqual(NEED_NO_FIELDS);
  },
  120_000,
);

test("after an incomplete form, a subscription page says that nothing was changed and how to continue", async () => {
  const { cookie, subscription } = await newSubscriber();
  for (const path of [
    paths.accountAction("subscription"),
    pathOf(cancelLink(subscription)),
    pathOf(withdrawLink(subscription)),
  ]) {
    const refused = await send(path, {}, cookie);
    expect([path, refused.status]).toEqual([path, 422]);
    expect(await refused.text()).toMatch(
      /role="alert"[^>]*>(?:<[^>]+>)*The form was not complete, so nothing was changed/,
    );
  }
});

test("the button behind an emailed link changes nothing until the box beside it is ticked, whoever is signed in", async () => {
  const { userId, cookie, subscription } = await newSubscriber();
  await db
    .update(users)
    .set({ deletionRequestedAt: new Date(0) })
    .where(eq(users.id, userId));
  const undo = undoLink({ userId, requestedAt: "0.000000", deletesAt: new Date() });
  const before = await digest();
  for (const [link, intent] of [
    [cancelLink(subscription), "cancel"],
    [withdrawLink(subscription), "withdraw"],
    [undo, "keep"],
  ] as const) {
    for (const own of ["", cookie]) {
      for (const confirm of [null, "", "no", "on"]) {
        const refused = await send(pathOf(link), confirm === null ? { intent } : { intent, confirm }, own);
        expect([intent, refused.status]).toEqual([intent, 422]);
        expect(problemOf(await refused.text(), "confirm")).toMatch(
          /^Nothing was changed\. Please tick the box/,
        );
      }
    }
  }
  expect(await digest()).toEqual(before);
});

/** The subscriber has data that each action could change. */
async function newSubscriber() {
  const { cookie, target } = await newCaller("member", library.gated.id);
  const { userId } = target;
  const subscription = { id: await subscribe(userId), userId };
  const avatar = paths.avatar(userId, "0".repeat(32));
  await db.update(users).set({ avatar_url: avatar, lastSeenAt: sql`now()` }).where(eq(users.id, userId));
  await db.delete(rateLimits);
  const pathsOf = (route: string) => {
    if (route === "routes/cancel") return [pathOf(cancelLink(subscription))];
    if (route === "routes/withdraw") return [paths.withdraw(), pathOf(withdrawLink(subscription))];
    const posted = rows.filter((one) => one.route === route && one.method === "POST");
    if (posted.length === 0) throw new Error(`tests/support/routes/rows.ts has no POST row for ${route}`);
    return [...new Set(posted.map(({ path }) => (typeof path === "string" ? path : path(target))))];
  };
  return { userId, cookie, subscription, pathsOf };
}

function send(path: string, form: Record<string, string> | undefined, cookie: string): Promise<Response> {
  const headers = { cookie, origin: site.origin };
  return site.fetch(path, { method: "POST", body: new URLSearchParams(form), headers });
}

/** Rate limits are left out, because counting requests is no change by the caller. */
async function digest() {
  const { "public.rate_limits": _, ...tables } = await digestTables();
  return tables;
}

function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}
