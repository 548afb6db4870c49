import { createCookie } from "@remix-run/node";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { readBrowserHash } from "#app/web/request/browser-id.server.ts";
import { sessionCookie } from "#app/web/session/session-cookie.server.ts";
import { db } from "#db/client.server.ts";
import { sessions } from "#db/schema/auth.ts";
import { adultCookie, createMember, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

const PRIVATE_PAGE = "/user/account";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

test("a session cookie with any character changed is refused", async () => {
  const { session, adult } = await signedIn();
  const value = session.slice("session=".length);
  const opened: string[] = [];
  // The last character of the signature contains two unused bits.
  for (let at = 0; at < value.length - 1; at++) {
    if (value[at] === "%") continue;
    const forged = `${value.slice(0, at)}${value[at] === "A" ? "B" : "A"}${value.slice(at + 1)}`;
    const { status } = await visit(`session=${forged}; ${adult}`);
    if (status !== 302) opened.push(`${at}: ${status}`);
  }
  expect(opened).toEqual([]);
  expect((await visit(`${session}; ${adult}`)).status).toBe(200);
});

test("an unsigned cookie, one with another key and one with other content sign nobody in", async () => {
  const { session, adult, token } = await signedIn();
  const unknownSecret = createCookie("session", { secrets: ["another secret of thirty-two letters"] });
  const unsigned = createCookie("session");
  const values: unknown[] = [
    1,
    true,
    {},
    [token],
    { token },
    "",
    "x".repeat(3_000),
    `${token} `,
    `${token}\u0000`,
  ];
  const cookies = [
    await unknownSecret.serialize(token),
    await unsigned.serialize(token),
    ...(await Promise.all(values.map((value) => sessionCookie.serialize(value)))),
    "session=",
    "session=.",
    "session=%",
    "session=%E0%A4%A",
    `session=${token}`,
  ].map((line) => line.split(";")[0] ?? "");
  for (const cookie of cookies) {
    expect([cookie.slice(0, 60), (await visit(`${cookie}; ${adult}`)).status]).toEqual([
      cookie.slice(0, 60),
      302,
    ]);
  }
  expect((await visit(`${session}; ${adult}`)).status).toBe(200);
});

test("a forged or expired proof of age does not pass the age gate", async () => {
  const { session, adult } = await signedIn();
  const forged = createCookie("adult", { secrets: ["another secret of thirty-two letters"] });
  const ours = createCookie("adult", { secrets: [config.session.secret] });
  const now = Math.floor(Date.now() / 1000);
  const [, browser = ""] = adult.split("; ");
  const browserHash = (await readBrowserHash(requestWith(browser))) ?? "";
  const proofs = [
    "adult=1",
    "adult=true",
    // The same cookie with one character changed.
    adult.replace(/^adult=./, "adult=Z"),
    ...[
      await forged.serialize(now),
      await createCookie("adult").serialize(now),
      await ours.serialize({ givenAt: now - 31 * 24 * 3600, browserHash }),
      await ours.serialize({ givenAt: String(now), browserHash }),
      // Not bound to a browser.
      await ours.serialize(now),
    ].map((line) => `${line.split(";")[0]}; ${browser}`),
    `${session.replace("session=", "adult=")}; ${browser}`,
  ];
  for (const proof of proofs) {
    const answer = await site.fetch("/content/video", { headers: { cookie: `${session}; ${proof}` } });
    expect([proof, answer.status]).toEqual([proof, 302]);
    expect(answer.headers.get("location")).toMatch(/^\/enter/);
  }
});

test("a session cookie is renewed once in ten minutes, with the same token, however many pages load at once", async () => {
  const { session, adult, id } = await signedIn();
  const cookie = `${session}; ${adult}`;
  expect(renewals(await visit(cookie))).toEqual([]);
  await shift(id, "601 seconds");
  const pages = await Promise.all(Array.from({ length: 20 }, () => visit(cookie)));
  expect(pages.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(pages.flatMap(renewals)).toEqual([expect.stringContaining(session)]);
  expect(pages.flatMap(renewals)[0]).toMatch(/Max-Age=28(800|799);.*HttpOnly;.*SameSite=Lax/);
  expect(renewals(await visit(cookie))).toEqual([]);
  // 599 seconds would be too close: the previous requests may have taken a second.
  await shift(id, "590 seconds");
  expect(renewals(await visit(cookie))).toEqual([]);
});

test("a script cannot renew a session beyond thirty days either", async () => {
  const { session, adult, id } = await signedIn();
  await db.execute(
    sql`UPDATE sessions SET signed_in_at = now() - interval '29 days 23 hours' WHERE user_id = ${id}`,
  );
  const answer = await site.fetch("/api/auth", {
    method: "POST",
    body: JSON.stringify({ event: "TOKEN_REFRESHED", session: null }),
    headers: { cookie: `${session}; ${adult}`, origin: site.origin },
  });
  const body = (await answer.json()) as { session: { expires_in: number } };
  expect(body.session.expires_in).toBeLessThanOrEqual(3_600);
});

test("a device signed out from another one is out at its next request, and the other stays", async () => {
  const { id, session, adult } = await signedIn();
  const phone = await signedInCookie(id);
  const list = await (await visit(`${session}; ${adult}`)).text();
  const ids = [...list.matchAll(/name="sessionId" value="([^"]+)"/g)].map(([, sessionId = ""]) => sessionId);
  const own = await db.query.sessions.findFirst({
    where: eq(sessions.userId, id),
    orderBy: sessions.signedInAt,
  });
  const other = ids.find((sessionId) => sessionId !== own?.id) ?? "";
  const revoked = await site.fetch("/user/account/devices", {
    method: "POST",
    body: new URLSearchParams({ sessionId: other }),
    headers: { cookie: `${session}; ${adult}`, origin: site.origin },
  });
  expect(revoked.status).toBe(303);
  expect((await visit(phone)).status).toBe(302);
  expect((await visit(`${session}; ${adult}`)).status).toBe(200);
});

test("a browser with far too many cookies is refused, and works again without them", async () => {
  const { session, adult } = await signedIn();
  expect(session.length + adult.length).toBeLessThan(512);
  expect((await visit(`${session}; ${adult}; junk=${"x".repeat(8 * 1024)}`)).status).toBe(200);
  expect((await visit(`${session}; ${adult}; junk=${"x".repeat(64 * 1024)}`)).status).toBe(431);
  expect((await visit(`${session}; ${adult}`)).status).toBe(200);
});

async function signedIn() {
  const { id } = await createMember();
  const [session = ""] = (await signedInCookie(id)).split("; ");
  const token: unknown = await sessionCookie.parse(session);
  return { id, session, adult: await adultCookie(), token: String(token) };
}

function requestWith(cookie: string): Request {
  return new Request("http://localhost/", { headers: { cookie } });
}

function visit(cookie: string): Promise<Response> {
  return site.fetch(PRIVATE_PAGE, { headers: { cookie } });
}

function renewals(response: Response): string[] {
  return response.headers.getSetCookie().filter((line) => line.startsWith("session="));
}

/** Simulates that the user's sessions were last renewed this much earlier. */
async function shift(userId: string, time: string): Promise<void> {
  await db.execute(sql`UPDATE sessions SET renewed_at = renewed_at - ${time}::interval,
    expires_at = expires_at - ${time}::interval WHERE user_id = ${userId}`);
}
