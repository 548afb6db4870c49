import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits, sessions, users } from "#db/schema/auth.ts";
import { createMember, letSignInGrowOld, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";
import { newestMail } from "../support/mails.ts";

const site = await startSite();
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

interface Sensitive {
  stepUp: "export" | "delete" | "portal";
  method: "GET" | "POST";
  path: string;
  form: Record<string, string>;
  /** The expected status and address after a fresh sign-in. */
  done: [number, string | null];
  /** The address to which the emailed link finally leads. */
  back: string;
}

const ACCOUNT = paths.account();
const SENSITIVE: Sensitive[] = [
  {
    stepUp: "export",
    method: "GET",
    path: paths.accountAction("export"),
    form: {},
    done: [200, null],
    back: `${paths.account({ saved: "confirmed-export" })}#data`,
  },
  {
    stepUp: "delete",
    method: "POST",
    path: ACCOUNT,
    form: { intent: "delete", confirm: "yes" },
    done: [303, paths.keepAccount({ done: "requested" })],
    back: `${paths.account({ saved: "confirmed-delete" })}#delete`,
  },
  {
    stepUp: "portal",
    method: "POST",
    path: paths.portal(),
    form: {},
    // No payment provider is configured here, so there is no portal.
    done: [303, `${ACCOUNT}#subscription`],
    back: paths.portal(),
  },
];

test.each(SENSITIVE)(
  "$stepUp: an old sign-in needs a new code first, and comes back to the step",
  async (sensitive) => {
    const { stepUp, done, back } = sensitive;
    const { email, jar, id } = await newStaleMember();
    expect(await send(jar, sensitive)).toEqual([
      sensitive.method === "GET" ? 302 : 303,
      paths.confirm(stepUp),
    ]);
    const page = await (await jar.visit(paths.confirm(stepUp))).text();
    expect(page).toContain("Confirm that it is you</h1>");
    expect(page).toContain(email);
    expect(page).toMatch(/<form[^>]*method="post"[^>]*action="\/user\/confirm\?for=/);

    const requested = await jar.post(paths.confirm(stepUp), { for: stepUp });
    expect([requested.status, requested.headers.get("location")]).toEqual([
      303,
      paths.signInCode({ for: stepUp }),
    ]);
    const codePage = await (await jar.visit(paths.signInCode({ for: stepUp }))).text();
    expect(codePage).toContain("Check your email</h1>");
    expect(codePage).toContain(`href="${paths.confirm(stepUp)}"`);
    // The request alone changes nothing.
    expect((await send(jar, sensitive))[1]).toBe(paths.confirm(stepUp));
    const before = jar.get("session");
    const signedIn = await jar.post(paths.signInCode({ for: stepUp }), {
      code: (await newestMail(email)).code,
    });
    expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, paths.confirm(stepUp)]);
    expect(jar.get("session")).not.toBe(before);
    expect((await jar.visit(paths.confirm(stepUp))).headers.get("location")).toBe(back);
    expect((await jar.visit(back.split("#")[0] ?? "")).status).toBe(200);
    // The stale session is over.
    const live = await db.select().from(sessions).where(eq(sessions.userId, id));
    expect(live.filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
    expect(await send(jar, sensitive)).toEqual(done);
  },
);

test.each(SENSITIVE)("$stepUp: a fresh sign-in needs no new code", async (sensitive) => {
  const jar = await jarOf((await createMember()).id);
  expect(await send(jar, sensitive)).toEqual(sensitive.done);
});

test("the email says what the code is for", async () => {
  const { email, jar } = await newStaleMember();
  await jar.post(paths.confirm("delete"), { for: "delete" });
  const [mail] = await db.query.mailOutbox.findMany({ where: (mails, { eq }) => eq(mails.to, email) });
  expect(mail?.text).toMatch(/signed in to your account, using .*,\s+asked\s+to delete your account\./);
  expect(mail?.text).toContain("someone else is using your account");
});

test("a stolen session alone is not enough, neither by guessing nor by the link in another browser", async () => {
  const { email, jar, id } = await newStaleMember();
  await jar.post(paths.confirm("export"), { for: "export" });
  expect((await jar.post(paths.signInCode(), { code: "00000000" })).status).toBe(422);
  const { token, code } = await newestMail(email);
  // The owner of the mailbox uses another browser. The code is not valid there, and the link signs in only that
  // browser.
  const otherBrowser = new Jar(site);
  for (const pair of (await signedInCookie(id)).split("; ").slice(1)) otherBrowser.set(...split(pair));
  expect((await otherBrowser.post(paths.signInCode(), { code })).headers.get("location")).toBe(
    paths.signIn(),
  );
  const opened = await otherBrowser.post(paths.signInVerify(), { token, confirm: "yes" });
  expect(opened.status).toBe(303);
  expect((await otherBrowser.visit(paths.accountAction("export"))).status).toBe(200);
  expect((await jar.visit(paths.accountAction("export"))).headers.get("location")).toBe(
    paths.confirm("export"),
  );
});

test("using a session does not make its sign-in fresher", async () => {
  const { jar, id } = await newStaleMember();
  await db
    .update(sessions)
    .set({ renewedAt: new Date(0) })
    .where(eq(sessions.userId, id));
  await jar.visit(ACCOUNT);
  const renewed = await jar.visit("/api/auth", {
    method: "POST",
    headers: { origin: site.origin, "content-type": "application/json" },
    body: JSON.stringify({ event: "TOKEN_REFRESHED", session: null }),
  });
  expect(renewed.status).toBe(200);
  expect((await jar.visit(paths.accountAction("export"))).status).toBe(302);
});

test("the page's address leads only to the step that it names", async () => {
  const jar = await jarOf((await createMember()).id);
  for (const wrong of ["https://evil.example/", "//evil.example", "constructor", ""]) {
    expect((await jar.visit(paths.confirm(wrong))).headers.get("location")).toBe(ACCOUNT);
  }
  const stale = await newStaleMember();
  expect((await stale.jar.post(paths.confirm("export"), { for: "nonsense" })).status).toBe(422);
  const crossSite = await jar.post(
    paths.confirm("export"),
    { for: "export" },
    { Origin: "https://evil.example" },
  );
  expect(crossSite.status).toBe(403);
});

test("canceling, withdrawing and all other account actions need no new code", async () => {
  const { jar, id } = await newStaleMember();
  for (const [path, form] of [
    [paths.accountAction("subscription"), { intent: "cancel" }],
    [ACCOUNT, { intent: "keep" }],
    [paths.accountAction("avatar-removal"), {}],
  ] as const) {
    const answer = await jar.post(path, form);
    expect([path, answer.headers.get("location")]).toEqual([
      path,
      expect.stringMatching(/^\/user\/account[?#]/),
    ]);
  }
  const page = await (await jar.visit(ACCOUNT)).text();
  expect(page).toContain(`href="${paths.confirm("delete")}"`);
  expect(page).not.toContain('name="confirm"');
  expect(await db.$count(users, eq(users.id, id))).toBe(1);
});

async function newStaleMember() {
  const member = await createMember();
  const jar = await jarOf(member.id);
  await letSignInGrowOld(member.id);
  return { ...member, jar };
}

async function jarOf(userId: string): Promise<Jar> {
  const jar = new Jar(site);
  for (const pair of (await signedInCookie(userId)).split("; ")) jar.set(...split(pair));
  return jar;
}

function split(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

async function send(jar: Jar, { method, path, form }: Sensitive): Promise<[number, string | null]> {
  const answer = method === "GET" ? await jar.visit(path) : await jar.post(path, form);
  return [answer.status, answer.headers.get("location")];
}
