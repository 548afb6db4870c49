import { randomBytes } from "node:crypto";
import { createCookie } from "@remix-run/node";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { keysFor, textKeysFor } from "#app/domain/keys/keys.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";
import { newestMail } from "../support/mails.ts";

const [oldSecret, secret] = [config.session.secret, randomBytes(32).toString("hex")];
const before = await startSite();
const during = await startSite({ env: { SESSION_SECRET: `${secret},${oldSecret}` } });
const after = await startSite({ env: { SESSION_SECRET: secret } });
afterAll(() => Promise.all([before, during, after].map((site) => site.stop())));

describe("the secret", () => {
  test("gives a different key for each purpose", () => {
    const purposes = [
      "cookie:session",
      "cookie:adult",
      "email-link",
      "code",
      "limit",
      "cancel-link",
      "undo-deletion",
      "slot-holder",
      "outbox",
      "stand-in",
      "front",
      "doctor",
      "trial",
      "trial-key",
    ];
    const keys = purposes.map((purpose) => keysFor(purpose as "code")[0].toString("hex"));
    expect(new Set(keys).size).toBe(purposes.length);
    expect(keys.join()).not.toContain(config.session.secret);
  });
});

describe("while the secret is replaced", () => {
  beforeEach(async () => {
    await db.delete(rateLimits);
  });
  const statusOf = async (site: typeof before, cookie: string) =>
    (await site.fetch("/user/account", { headers: { cookie } })).status;

  test("sessions and age proofs of both secrets are valid, and later only those of the new one", async () => {
    const cookie = await signedInCookie((await createMember()).id);
    expect([
      await statusOf(before, cookie),
      await statusOf(during, cookie),
      await statusOf(after, cookie),
    ]).toEqual([200, 200, 302]);
    const jar = new Jar(during);
    await jar.post("/signin", { email: "during@example.com", next: "/" });
    await jar.post("/signin/code", { code: (await newestMail("during@example.com")).code });
    await jar.post("/enter", { next: "/" });
    expect([await statusOf(before, jar.header()), await statusOf(after, jar.header())]).toEqual([302, 200]);
  });

  test("links and codes emailed earlier still sign in", async () => {
    for (const way of ["link", "code"] as const) {
      const email = `${way}@example.com`;
      const requester = new Jar(before);
      await requester.post("/signin", { email, next: "/" });
      const { token, code } = await newestMail(email);
      const later = new Jar(during);
      for (const name of ["browser", "signin"]) later.set(name, requester.get(name) ?? "");
      const signedIn =
        way === "link"
          ? await later.post("/signin/verify", { token })
          : await later.post("/signin/code", { code });
      expect([way, signedIn.status]).toEqual([way, 303]);
    }
  });

  test("only the key for its own purpose signs a cookie, not the secret itself", async () => {
    const { id } = await createMember();
    const cookie = await signedInCookie(id);
    const [session = "", ...gate] = cookie.split("; ");
    const own = createCookie("session", { secrets: textKeysFor("cookie:session") });
    const token: unknown = await own.parse(session);
    const signedWith = async (key: string) =>
      (await createCookie("session", { secrets: [key] }).serialize(token)).split(";")[0] ?? "";
    const statuses = [];
    for (const key of [
      oldSecret,
      textKeysFor("cookie:adult")[0],
      textKeysFor("email-link")[0],
      randomBytes(32).toString("hex"),
    ])
      statuses.push(await statusOf(before, [await signedWith(key), ...gate].join("; ")));
    expect(statuses).toEqual([302, 302, 302, 302]);
    expect(
      await statusOf(before, [await signedWith(textKeysFor("cookie:session")[0]), ...gate].join("; ")),
    ).toBe(200);
  });

  test("emailed links of both secrets cancel a subscription", async () => {
    const { id } = await createMember();
    const subscription = await subscribe(id);
    const { cancelLink } = await import("#app/domain/billing/subscriptions/signed-links.server.ts");
    const { pathname, search } = new URL(cancelLink({ id: subscription, userId: id }));
    const opens = async (site: typeof before) =>
      (await (await site.fetch(pathname + search)).text()).includes('<form method="post" action="/cancel');
    expect([await opens(before), await opens(during), await opens(after)]).toEqual([true, true, false]);
  });
});
