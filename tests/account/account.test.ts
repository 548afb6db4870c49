import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession } from "#app/domain/auth/sessions.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { sessions, users } from "#db/schema/auth.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { problemOf, shownValue, summaryOf } from "../support/forms.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

const ACCOUNT = "/user/account";
const PROFILE = {
  intent: "profile",
  full_name: "Ada",
  line1: "",
  line2: "",
  city: "Porto",
  region: "",
  postalCode: "",
  country: "pt",
};

test("the account page shows the member's own data, and only to that member", async () => {
  const { cookie, email } = await signedIn();
  expect(await (await site.fetch("/user/account", { headers: { Cookie: cookie } })).text()).toContain(email);
  expect((await site.fetch("/user/account")).status).toBe(302);
});

test("the account begins with the subscription, for members with and without one", async () => {
  const subscriber = await createMember();
  await subscribe(subscriber.id);
  for (const person of [await createMember(), subscriber]) {
    const headers = { cookie: await signedInCookie(person.id) };
    const html = await (await site.fetch(ACCOUNT, { headers })).text();
    const sections = [...html.matchAll(/<section[^>]* id="([\w-]+)"/g)].map(([, id]) => id);
    expect(sections.slice(0, 2)).toEqual(["subscription", "profile"]);
  }
});

test("a saved profile is confirmed on the page and shown as stored", async () => {
  const { cookie, id } = await signedIn();
  const saved = await post(ACCOUNT, PROFILE, cookie);
  expect([saved.status, saved.headers.get("location")]).toEqual([303, "/user/account?saved=profile#profile"]);
  const row = await find(id);
  expect([row?.full_name, row?.billing_address]).toEqual(["Ada", { city: "Porto", country: "PT" }]);

  const page = await look(saved.headers.get("location") ?? "", cookie);
  expect(page).toMatch(/role="status"[^>]*><p[^>]*>.*?Your profile is saved\./);
  expect([shownValue(page, "full_name"), shownValue(page, "city")]).toEqual(["Ada", "Porto"]);
  expect(page).toMatch(/<option value="PT" selected="">Portugal/);
  expect(await look(ACCOUNT, cookie)).not.toContain("Your profile is saved.");
});

test("a refused profile comes back as typed with the reason beside each field, and stores nothing", async () => {
  const { cookie, id } = await signedIn();
  await post(ACCOUNT, PROFILE, cookie);
  const typed = {
    ...PROFILE,
    full_name: " Ada & <Eve>",
    city: "x".repeat(81),
    line1: "a\u0000b",
    postalCode: "",
  };
  const refused = await post(ACCOUNT, typed, cookie);
  const page = await refused.text();
  expect(refused.status).toBe(422);
  expect(page).toContain("Your Account</h1>");
  expect(shownValue(page, "full_name")).toBe(" Ada &amp; &lt;Eve&gt;");
  expect(shownValue(page, "city")).toBe("x".repeat(81));
  expect(problemOf(page, "city")).toBe("Please use at most 80 characters.");
  expect(problemOf(page, "line1")).toBe("Please use letters, digits and symbols only.");
  expect(problemOf(page, "full_name")).toBeNull();
  expect(summaryOf(page)).toEqual(["profile-form-line1", "profile-form-city"]);
  expect((await find(id))?.full_name).toBe("Ada");
});

test.each([
  ["a Hangul filler", "\u3164"],
  ["zero-width spaces", "\u200b\u200b"],
  ["blanks of Braille", "\u2800\u2800"],
  ["a selector alone", "\ufe0f"],
  ["an accent alone", "\u0301"],
])("a name with nothing visible (%s) is refused beside the field", async (_, name) => {
  const { cookie, id } = await signedIn();
  const refused = await post(ACCOUNT, { ...PROFILE, full_name: name }, cookie);
  expect(refused.status).toBe(422);
  expect(problemOf(await refused.text(), "full_name")).toMatch(/^This contains only invisible characters/);
  expect((await find(id))?.full_name).toBeNull();
});

test("a name that would turn the sentence around it is refused beside the field", async () => {
  const { cookie } = await signedIn();
  const refused = await post(ACCOUNT, { ...PROFILE, full_name: "Ada \u202eevE" }, cookie);
  expect(problemOf(await refused.text(), "full_name")).toBe("Please use letters, digits and symbols only.");
});

test("isolates around a pasted number are left out of the profile", async () => {
  const { cookie, id } = await signedIn();
  await post(ACCOUNT, { ...PROFILE, full_name: "Ada \u20684\u2069 \u202aIV\u202c" }, cookie);
  expect((await find(id))?.full_name).toBe("Ada 4 IV");
});

test.each([
  ["\u00a0Ada\u200b Byron\ufeff", "Ada\u200b Byron", "AB"],
  ["\u{1f1e9}\u{1f1ea} Adler", "\u{1f1e9}\u{1f1ea} Adler", "\u{1f1e9}\u{1f1ea}A"],
  [
    "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
    "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
    "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  ],
  ["\u0928\u093f\u0936\u093e", "\u0928\u093f\u0936\u093e", "\u0928\u093f"],
])("the name %j is stored as %j and shown as %j", async (name, stored, shown) => {
  const { cookie, id } = await signedIn();
  expect((await post(ACCOUNT, { ...PROFILE, full_name: name }, cookie)).status).toBe(303);
  expect((await find(id))?.full_name).toBe(stored);
  expect(await look(ACCOUNT, cookie)).toContain(`aria-hidden="true">${shown}</span>`);
});

test("an invisible stored name is shown like no name", async () => {
  const { cookie, id } = await signedIn();
  await db.update(users).set({ full_name: "\u3164" }).where(eq(users.id, id));
  expect(await look(ACCOUNT, cookie)).toContain('aria-hidden="true">UN</span>');
});

test("an emptied field stays empty when the form comes back", async () => {
  const { cookie } = await signedIn();
  await post(ACCOUNT, PROFILE, cookie);
  const page = await (
    await post(ACCOUNT, { ...PROFILE, city: "", full_name: "x".repeat(101) }, cookie)
  ).text();
  expect(shownValue(page, "city")).toBe("");
});

test.each<[string, (form: FormData) => void]>([
  ["a field that is not in the form", (form) => form.set("role", "owner")],
  ["a field twice", (form) => form.append("city", "Lisboa")],
  ["a missing field", (form) => form.delete("city")],
  ["a country that does not exist", (form) => form.set("country", "XX")],
  ["a command to the form's own library", (form) => form.set("__intent__", "{")],
  ["a state of the form's own library", (form) => form.set("__state__", "{")],
  ["a path into an endless list", (form) => form.set("city[4294967294]", "x")],
  ["a path into every object", (form) => form.set("__proto__.role", "owner")],
])("%s is refused on the page, and nothing is stored", async (_, spoil) => {
  const { cookie, id } = await signedIn();
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...PROFILE, full_name: "Eve" })) form.set(name, value);
  spoil(form);
  const body = new URLSearchParams([...form].map(([name, value]) => [name, String(value)]));
  const refused = await site.fetch(ACCOUNT, {
    method: "POST",
    body,
    headers: { cookie, origin: site.origin },
  });
  const page = await refused.text();
  expect([refused.status, shownValue(page, "full_name")]).toEqual([422, "Eve"]);
  expect(summaryOf(page)).toHaveLength(1);
  const row = await find(id);
  expect([row?.full_name, row?.role]).toEqual([null, "member"]);
});

test("a form that no page sends is refused on the account page", async () => {
  const { cookie } = await signedIn();
  const refused = await post(ACCOUNT, { intent: "role", role: "owner" }, cookie);
  expect(refused.status).toBe(422);
  expect(await refused.text()).toMatch(/Nothing was changed\..*The form was not complete\./);
});

test("every form of the account page works without JavaScript and has a description", async () => {
  const { cookie } = await signedIn();
  const pages = [
    await look(ACCOUNT, cookie),
    await (await post(ACCOUNT, { ...PROFILE, city: "x".repeat(81) }, cookie)).text(),
    await (await post(ACCOUNT, { intent: "delete" }, cookie)).text(),
  ];
  for (const page of pages) {
    for (const [, ids = ""] of page.matchAll(/aria-describedby="([^"]+)"/g))
      for (const id of ids.split(" ")) expect(page).toContain(` id="${id}"`);
    for (const [, action = ""] of page.matchAll(/<form[^>]*? action="([^"]+)"/g))
      expect(action).toMatch(/^\/(user\/account|api\/color-mode|signout)/);
  }
});

test("search engines may not index a member's private pages", async () => {
  const { cookie } = await signedIn();
  for (const path of [ACCOUNT, "/user/favorites", "/user/history"])
    expect(await look(path, cookie), path).toContain('<meta name="robots" content="noindex"/>');
});

test("an account is marked for deletion only with the box ticked, and is signed out then", async () => {
  const { cookie, id } = await signedIn();
  const unconfirmed = await post(ACCOUNT, { intent: "delete" }, cookie);
  const page = await unconfirmed.text();
  expect(unconfirmed.status).toBe(422);
  expect(page).toMatch(/id="delete-confirm"[^>]*aria-invalid="true" aria-describedby="delete-confirm-error"/);
  expect(page).toMatch(/id="delete-confirm-error"[^>]*>Please tick the box/);
  expect(await find(id)).toMatchObject({ deletionRequestedAt: null });
  await post(ACCOUNT, { intent: "delete", confirm: "yes" }, cookie);
  expect(await find(id)).toMatchObject({ deletionRequestedAt: expect.any(Date) });
  expect((await site.fetch(ACCOUNT, { headers: { Cookie: cookie } })).status).toBe(302);
});

test("a signed-out device leaves the list, and the page says so", async () => {
  const { cookie, id } = await signedIn();
  const { sessionId } = await createSession({ userId: id, device: "Safari on iOS", network: null });
  expect(await look(ACCOUNT, cookie)).toContain("Safari on iOS");
  const done = await post("/user/account/devices", { sessionId }, cookie);
  const page = await look(done.headers.get("location") ?? "", cookie);
  expect(page).not.toContain("Safari on iOS");
  expect(page).toContain("That device has been signed out.");
});

test("signing out this device signs out here, and the sign-in page says so", async () => {
  const { cookie, id } = await signedIn();
  const own = await db.query.sessions.findFirst({ where: eq(sessions.userId, id) });
  const done = await post("/user/account/devices", { sessionId: own?.id ?? "" }, cookie);
  expect([done.status, done.headers.get("location")]).toEqual([303, paths.signedOut("here")]);
  expect(done.headers.get("set-cookie")).toMatch(/^session=;.*Max-Age=0/);
  expect((await site.fetch(ACCOUNT, { headers: { cookie } })).status).toBe(302);
});

test("the page shows the subscription's state and the payment provider's data", async () => {
  const { cookie, id } = await signedIn();
  const none = await look(ACCOUNT, cookie);
  expect(none).toContain("because you have no subscription.");
  expect(none).toMatch(/<a[^>]*href="\/subscribe">(?:<[^>]+>)*See the plans/);
  await subscribe(id, "active", { periodEnd: new Date("2099-03-01T00:00:00Z") });
  await db
    .update(users)
    .set({
      billing_method: "charge_automatically",
      payment_method: { brand: "visa", last4: "4242", expMonth: 4, expYear: 2099 },
    })
    .where(eq(users.id, id));
  const active = await look(ACCOUNT, cookie);
  expect(active).toContain("Your subscription is active until 1 March 2099 and then renews.");
  expect(active).toMatch(/Billing method<\/dt><dd>Charged automatically/);
  expect(active).toMatch(/Payment method<\/dt><dd>Visa ending in 4242, valid to 04\/2099/);
  const unnumbered = { last4: null, expMonth: null, expYear: null };
  for (const [method, words] of [
    [{ ...unnumbered, brand: "us_bank_account", last4: "6789" }, "Bank debit ending in 6789"],
    [{ ...unnumbered, brand: "sepa_debit", last4: "3000" }, "SEPA debit ending in 3000"],
    [{ ...unnumbered, brand: "paypal" }, "PayPal"],
    [{ ...unnumbered, brand: "link" }, "Link"],
    [{ ...unnumbered, brand: "amazon_pay" }, "Amazon pay"],
    [{ ...unnumbered, brand: "cashapp" }, "Cash App"],
    [{ ...unnumbered, brand: "bacs_debit", last4: "2345" }, "Bacs Direct Debit ending in 2345"],
  ] as const) {
    await db.update(users).set({ payment_method: method }).where(eq(users.id, id));
    expect(await look(ACCOUNT, cookie)).toContain(`Payment method</dt><dd>${words}</dd>`);
  }
  await db
    .update(subscriptions)
    .set({ status: "canceled", endedAt: new Date("2026-02-03T00:00:00Z") })
    .where(eq(subscriptions.userId, id));
  expect(await look(ACCOUNT, cookie)).toContain("Your subscription ended on 3 February 2026.");
});

test("the color mode has its own form, which shows the current mode", async () => {
  const { cookie } = await signedIn();
  expect(await look(ACCOUNT, cookie)).toMatch(/name="theme" value="light" aria-pressed="true"/);
  const chosen = await post("/api/color-mode", { theme: "dark", next: ACCOUNT }, cookie);
  expect([chosen.status, chosen.headers.get("location")]).toEqual([303, ACCOUNT]);
  const theme = chosen.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  expect(await look(ACCOUNT, `${cookie}; ${theme}`)).toMatch(/name="theme" value="dark" aria-pressed="true"/);
});

test("each session event has its answer, and none creates a session from its body", async () => {
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

test("another site cannot change anything here", async () => {
  const { cookie, id } = await signedIn();
  for (const path of [ACCOUNT, "/user/account/sign-out-everywhere", "/signout", "/api/auth"]) {
    const response = await post(path, { intent: "delete", confirm: "yes" }, cookie, "https://evil.example");
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

async function look(path: string, cookie: string): Promise<string> {
  return (await site.fetch(path.split("#")[0] ?? "", { headers: { cookie } })).text();
}
