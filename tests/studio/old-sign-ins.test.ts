import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { media } from "#db/schema/catalog.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember, letSignInGrowOld, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";
import { newestMail } from "../support/mails.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

/** An owner who signed in two days ago, in a browser. */
async function signedInLongAgo(): Promise<{ jar: Jar; email: string }> {
  const { id, email } = await createMember({ role: "owner" });
  const jar = new Jar(site);
  for (const pair of (await signedInCookie(id)).split("; ")) {
    const at = pair.indexOf("=");
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
  await letSignInGrowOld(id, "2 days");
  return { jar, email };
}

async function stored(id: string) {
  const [row] = await db.select().from(media).where(eq(media.id, id));
  return row;
}

test("a section that is sent with an old sign-in keeps what was typed, and a code saves it", async () => {
  const { jar, email } = await signedInLongAgo();
  const { id, title } = await createVideo({ title: "Silk", description: "Old" });
  const opened = JSON.stringify({ title, description: "Old" });
  const form = { section: "text", opened, title: "Silk and smoke", description: "A long text" };
  const refused = await jar.post(paths.studioItem(id), form);
  const page = await refused.text();
  expect(refused.status).toBe(403);
  expect(page).toContain('value="Silk and smoke"');
  expect(page).toContain("A long text</textarea>");
  expect(page).toContain('name="code"');
  expect(page).toContain("Nothing was changed");
  expect(await stored(id)).toMatchObject({ title: "Silk", description: "Old" });

  const wrong = await jar.post(paths.studioItem(id), { ...form, code: "00000000" });
  expect(wrong.status).toBe(403);
  expect(await wrong.text()).toContain("A long text</textarea>");
  const { code } = await newestMail(email);
  const saved = await jar.post(paths.studioItem(id), { ...form, code });
  expect(saved.status).toBe(303);
  expect(await stored(id)).toMatchObject({ title: "Silk and smoke", description: "A long text" });
  expect((await jar.visit(paths.studioItem(id))).status).toBe(200);
});

test("a takedown keeps its reason, and another code can be sent for it", async () => {
  const { jar, email } = await signedInLongAgo();
  const { id } = await createVideo();
  const form = { section: "publication", intent: "takeDown", reason: "A complaint" };
  const refused = await jar.post(paths.studioItem(id), form);
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain("A complaint</textarea>");
  expect((await stored(id))?.status).toBe("published");
  const again = await jar.post(paths.studioItem(id), { ...form, code: "", again: "yes" });
  expect(await again.text()).toContain('<input type="hidden" name="intent" value="takeDown"');
  const done = await jar.post(paths.studioItem(id), { ...form, code: (await newestMail(email)).code });
  expect(done.status).toBe(303);
  expect((await stored(id))?.status).toBe("takenDown");
});

test("a change of many items stands below its preview again, and a code confirms it", async () => {
  const { jar, email } = await signedInLongAgo();
  const { id } = await createVideo({ title: "Silk" });
  const preview = paths.studioBulk({ id, change: "access:free" });
  const form = { change: "access:free", value: "", id };
  const refused = await jar.post(preview, form);
  const page = await refused.text();
  expect(refused.status).toBe(403);
  expect(page).toContain("1 item would change");
  expect(page).toContain('name="code"');
  expect((await stored(id))?.access).toBe("subscriber");
  const done = await jar.post(preview, { ...form, code: (await newestMail(email)).code });
  expect(done.status).toBe(303);
  expect((await stored(id))?.access).toBe("free");
});
