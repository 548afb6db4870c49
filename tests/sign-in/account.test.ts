import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

const PROFILE = {
  full_name: "Ada",
  line1: "",
  line2: "",
  city: "Porto",
  region: "",
  postalCode: "",
  country: "pt",
};

test("the account page shows the member's own things, and nobody signed out sees it", async () => {
  const { cookie, email } = await signedIn();
  expect(await (await site.fetch("/user/account", { headers: { Cookie: cookie } })).text()).toContain(email);
  expect((await site.fetch("/user/account")).status).toBe(302);
});

test("a profile is saved, and a forged field changes nothing", async () => {
  const { cookie, id } = await signedIn();
  expect((await post("/user/account/profile", PROFILE, cookie)).status).toBe(303);
  expect(
    (await post("/user/account/profile", { ...PROFILE, role: "owner", full_name: "X" }, cookie)).status,
  ).toBe(422);
  const row = await db.query.users.findFirst({ where: (users, { eq }) => eq(users.id, id) });
  expect([row?.full_name, row?.role, row?.billing_address]).toEqual([
    "Ada",
    "member",
    { city: "Porto", country: "PT" },
  ]);
});

test("a deleted account is signed out and gone", async () => {
  const { cookie, id } = await signedIn();
  await post("/user/account/delete", {}, cookie);
  expect(await find(id)).toBeDefined();
  await post("/user/account/delete", { confirm: "yes" }, cookie);
  expect(await find(id)).toBeUndefined();
  expect((await site.fetch("/user/account", { headers: { Cookie: cookie } })).status).toBe(302);
});

test("each session event gets its answer, and none makes a session of what the body says", async () => {
  const { cookie, email } = await signedIn();
  const forged = { access_token: "x", user: { email: "owner@example.com" } };
  const say = (event: string, as: string) =>
    site.fetch("/api/auth", {
      method: "POST",
      headers: { Cookie: as, Origin: site.origin, "Content-Type": "application/json" },
      body: JSON.stringify({ event, session: forged }),
    });
  const signedInAnswer = await say("SIGNED_IN", cookie);
  const { session } = (await signedInAnswer.json()) as {
    session: { user: { email: string }; expires_in: number };
  };
  expect([signedInAnswer.status, session.user.email]).toEqual([200, email]);
  expect(session.expires_in).toBeGreaterThan(28_700);
  const stranger = await say("SIGNED_IN", "");
  expect([stranger.status, stranger.headers.getSetCookie()]).toEqual([401, []]);
  expect((await say("TOKEN_REFRESHED", cookie)).headers.getSetCookie()[0]).toMatch(/^session=/);
  expect((await say("USER_UPDATED", cookie)).status).toBe(200);
  expect((await say("PASSWORD_RECOVERY", cookie)).status).toBe(204);
  const unknown = await say("BECOME_OWNER", cookie);
  expect([unknown.status, await unknown.json()]).toEqual([400, { error: "Request Failed" }]);
  expect((await say("SIGNED_OUT", cookie)).status).toBe(200);
  expect((await say("SIGNED_IN", cookie)).status).toBe(401);
});

test("another site can change nothing here", async () => {
  const { cookie, id } = await signedIn();
  for (const path of ["/user/account/delete", "/user/account/sign-out-everywhere", "/signout", "/api/auth"]) {
    const response = await post(path, { confirm: "yes" }, cookie, "https://evil.example");
    expect(response.status).toBeGreaterThanOrEqual(400);
  }
  expect(await find(id)).toBeDefined();
  expect((await site.fetch("/user/account", { headers: { Cookie: cookie } })).status).toBe(200);
});

async function signedIn() {
  const member = await createMember();
  return { ...member, cookie: await signedInCookie(member.id) };
}

function post(path: string, fields: Record<string, string>, cookie: string, origin = site.origin) {
  const body = new URLSearchParams(fields);
  return site.fetch(path, { method: "POST", body, headers: { Cookie: cookie, Origin: origin } });
}

function find(id: string) {
  return db.query.users.findFirst({ where: (users, { eq }) => eq(users.id, id) });
}
