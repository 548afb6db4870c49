import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

test("every line of the studio's first page leads to where it is solved", async () => {
  const cookie = await signedInCookie((await createMember({ role: "owner" })).id);
  const look = (path: string) => site.fetch(path, { headers: { cookie } });
  const { id } = await createVideo();
  const mail = { kind: "test", to: "ada@example.com", subject: "A test", html: "A test", text: "A test" };
  await db.insert(mailOutbox).values({ ...mail, attempts: 3, createdAt: sql`now() - interval '11 minutes'` });
  await db.execute(sql`SELECT graphile_worker.add_job('release-due-media', '{}', max_attempts => 1)`);
  await db.execute(sql`UPDATE graphile_worker._private_jobs SET attempts = max_attempts`);

  const page = await (await look(paths.studio())).text();
  const waiting = page.slice(page.indexOf('id="waiting-title"'), page.indexOf('id="machine-title"'));
  const hrefs = [...waiting.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);
  const links = hrefs.map((href) => href.replaceAll("&amp;", "&"));
  expect(links).toContain(paths.studioItemPart(id, "credits"));
  expect(waiting).toContain("One job failed");
  expect(waiting).toContain("One email has not been sent");
  for (const link of links) {
    const [path = "", anchor] = link.split("#");
    const answer = await look(path || paths.studio());
    expect(answer.status, link).toBe(200);
    if (anchor !== undefined) expect(await answer.text(), link).toContain(`id="${anchor}"`);
  }
  expect(page.slice(page.indexOf('id="machine-title"'))).toContain("<code>npm run doctor</code>");
});

test("the calendar leads to each release of the next four weeks, and says when there is none", async () => {
  const cookie = await signedInCookie((await createMember({ role: "publisher" })).id);
  const look = async () =>
    (await (await site.fetch(paths.studio(), { headers: { cookie } })).text()).replaceAll("<!-- -->", "");
  expect(await look()).toContain("Nothing is scheduled for the next four weeks.");
  const publishAt = new Date(Date.now() + 7 * 24 * 3_600_000);
  const { id } = await createVideo({ status: "scheduled", title: "In a week", publishAt });
  const page = await look();
  expect(page).toMatch(
    new RegExp(`<time[^>]*>\\d\\d:\\d\\d</time> <a[^>]*href="${paths.studioItem(id)}"[^>]*>In a week</a>`),
  );
  expect(page).not.toContain("Nothing is scheduled for the next four weeks.");
});
