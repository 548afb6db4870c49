import { randomUUID } from "node:crypto";
import { eq, inArray, type SQL, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import type { SectionValues } from "#app/domain/site/settings.ts";
import { loadSite, ROW_PREFIX } from "#app/domain/site/site.server.ts";
import type { Role } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { alarms } from "#db/schema/alarms.ts";
import { users } from "#db/schema/auth.ts";
import { media } from "#db/schema/catalog.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { prices, products } from "#db/schema/prices.ts";
import { siteSettings } from "#db/schema/site.ts";
import { uploadBatches, uploads } from "#db/schema/uploads.ts";
import { failEncoding } from "#tests/support/encoding.ts";
import { createVideo, type TestMedia } from "#tests/support/media.ts";
import { SOLVED_AT } from "./item-frame.server.ts";
import { findOverview } from "./overview.server.ts";

const as = (role: Role) => findOverview({ id: randomUUID(), name: "a test", role });
const titlesIn = ({ waiting }: Awaited<ReturnType<typeof as>>) => waiting.map(({ title }) => title);
/** But for the disk, which may be full where the tests run. */
const machineLinesIn = ({ waiting }: Awaited<ReturnType<typeof as>>) =>
  waiting.filter(({ to }) => /^#(?!low-disk)/.test(to)).map(({ to, title }) => [to, title]);

let dueToday: TestMedia;
let newest: TestMedia;

beforeAll(async () => {
  const planned = { status: "scheduled", publishAt: new Date(Date.now() + 3_600_000) } as const;
  dueToday = await createVideo({ ...planned, title: "قبل منتصف الليل" });
  const dueTomorrow = await createVideo({ ...planned, title: "After midnight" });
  const midnight = sql`date_trunc('day', now(), ${config.timeZone}) + interval '1 day'`;
  const plan = ({ id }: TestMedia, at: SQL) =>
    db.execute(sql`UPDATE media SET publish_at = ${at} WHERE id = ${id}`);
  await plan(dueToday, sql`${midnight} - interval '1 second'`);
  await plan(dueTomorrow, midnight);
  await createVideo({ title: "Older", publishAt: new Date(Date.now() - 120_000) });
  newest = await createVideo({ title: "Newest", publishAt: new Date(Date.now() - 1_000) });

  const mail = { kind: "test", to: "ada@example.com", subject: "A test", html: "A test", text: "A test" };
  const createdAt = sql`now() - interval '11 minutes'`;
  await db.insert(mailOutbox).values({ ...mail, attempts: 3, createdAt });
  // The second is the email's own.
  for (const name of ["release-due-media", "send-mail"])
    await db.execute(sql`SELECT graphile_worker.add_job(${name}::text, '{}', max_attempts => 1)`);
  await db.execute(sql`UPDATE graphile_worker._private_jobs SET attempts = max_attempts`);
});

test("an editor sees problems, planned releases and the last publications, each with its link", async () => {
  const page = await as("editor");
  expect(page.planned).toHaveLength(28);
  expect(page.planned?.slice(0, 2).map(({ releases }) => releases)).toEqual([
    [{ to: paths.studioItem(dueToday.id), title: "قبل منتصف الليل", time: "23:59" }],
    [{ to: expect.any(String), title: "After midnight", time: "00:00" }],
  ]);
  expect(titlesIn(page).filter((title) => title.includes("published"))).toEqual([]);
  expect(page.waiting).toContainEqual({
    to: paths.studioMedia({ problem: "noCredit" }),
    title: "4 items without a credited creator",
  });
  expect(page.published?.map(({ title }) => title)).toEqual(["Newest", "Older"]);
  expect(titlesIn(page).filter((title) => title.includes("draft"))).toEqual([]);
  expect(page.published?.[0]?.to).toBe(paths.studioItem(newest.id));
});

test("an editor sees the one video with files that could not be made, and where to solve it, until they are tried again", async () => {
  await failEncoding(newest.id);
  const line = {
    to: SOLVED_AT.encodingFailed(newest.id),
    title: "One item with files that could not be encoded",
  };
  expect((await as("editor")).waiting).toContainEqual(line);
  await db.execute(sql`UPDATE media_work SET state = 'waiting' WHERE state = 'failed'`);
  expect((await as("editor")).waiting).not.toContainEqual(line);
});

test("only an owner sees the machine: its disk, its failed jobs, and late emails in one line", async () => {
  const owner = await as("owner");
  expect(machineLinesIn(owner)).toEqual([
    ["#unsent-mails", "One email has not been sent"],
    ["#failed-jobs", "One job failed"],
  ]);
  expect(owner.disk?.totalBytes).toBeGreaterThan(owner.disk?.freeBytes ?? 0);
  const editor = await as("editor");
  expect(editor.disk).toBeNull();
  expect(titlesIn(editor).filter((title) => /job|mail|disk/.test(title))).toEqual([]);
});

test("an owner sees what is wrong now by the rules of the alarms, and since when it is", async () => {
  const since = new Date("2026-11-26T10:30:00Z");
  await db.insert(alarms).values([
    { kind: "mails", amount: 2, since },
    // It is well again, and the worker has not checked it since.
    { kind: "payments", amount: 1, since },
  ]);
  const { waiting } = await as("owner");
  expect(waiting).toContainEqual({
    to: "#unsent-mails",
    title: "One email has not been sent",
    about: expect.stringMatching(/until the mail server accepts emails again\. Since 26 Nov 2026, 10:30\.$/),
  });
  expect(waiting.filter(({ to }) => to === "#late-payments")).toEqual([]);
});

test("an editor sees how many drafts there are, and how many of the own files were refused", async () => {
  const [drafts, editor] = [
    [await createVideo({ status: "draft" }), await createVideo({ status: "draft" })],
    randomUUID(),
  ];
  const batch = randomUUID();
  await db.insert(users).values({ id: editor, email: `${editor}@example.com`, role: "editor" });
  await db.insert(uploadBatches).values({ id: batch, userId: editor, endedAt: new Date() });
  const file = { batchId: batch, position: 1, path: "a.mp4", bytes: 1, fingerprint: "" };
  await db.insert(uploads).values({ ...file, id: randomUUID(), state: "refused" });
  try {
    const { waiting } = await findOverview({ id: editor, name: "a test", role: "editor" });
    expect(waiting.slice(0, 2)).toMatchObject([
      { to: paths.studioUpload(), title: "1 uploaded file refused" },
      { to: paths.studioMedia({ state: "draft" }), title: "2 drafts" },
    ]);
    expect(titlesIn(await as("editor")).filter((title) => title.includes("refused"))).toEqual([]);
  } finally {
    await db.delete(users).where(eq(users.id, editor));
    await db.delete(media).where(
      inArray(
        media.id,
        drafts.map(({ id }) => id),
      ),
    );
  }
});

test("a role without items sees nothing of them", async () => {
  expect(await as("records")).toEqual({
    firstSteps: [],
    waiting: [],
    planned: null,
    published: null,
    disk: null,
  });
});

test("a new site's owner sees each first step until it is done, and nobody else sees any", async () => {
  expect((await as("owner")).firstSteps, "the demo has everything").toEqual([]);
  const { isDemo, contactEmail, backup } = config;
  const titles = async (role: Role) => (await as(role)).firstSteps.map(({ title }) => title);
  Object.assign(config, { isDemo: false, contactEmail: "", backup: { ...backup, dir: null } });
  try {
    const [name, zone, contact, custodian] = [
      "Name your site",
      "Choose your time zone",
      "Set a contact address",
      "Name the custodian of records",
    ];
    const about = "Write your About page";
    const [plan, backups] = ["Offer a plan", "Turn on nightly backups"];
    // The test file has items.
    expect(await titles("owner")).toEqual([name, zone, contact, custodian, about, plan, backups]);
    expect(await titles("publisher")).toEqual([]);
    await db.insert(products).values({ id: "membership", name: "Membership", active: true });
    await db.insert(prices).values({
      ...{ id: "monthly", productId: "membership", active: true, currency: "usd", unitAmount: 1499 },
      ...{ interval: "month", intervalCount: 1 },
    });
    config.contactEmail = "hello@example.com";
    expect(await titles("owner")).toEqual([name, zone, custodian, about, backups]);
    await setSite({
      siteName: "Lantern",
      timeZone: "Europe/Berlin",
      custodianName: "A. Keeper",
      custodianAddress: "1 Quay",
    });
    expect(await titles("owner"), "the custodian has no date yet").toEqual([custodian, about, backups]);
    await setSite({ custodianSince: "2026-01-01", about: "We are four." });
    config.backup.isOff = true;
    expect(await titles("owner"), "the host backs up by other means").toEqual([]);
    Object.assign(config.backup, { isOff: false, dir: "/srv/backups" });
    expect(await titles("owner")).toEqual([]);
    await db.delete(prices);
    expect(await titles("owner")).toEqual([plan]);
    await db.update(media).set({ access: "member" });
    expect(await titles("owner"), "nothing needs a subscription").toEqual([]);
    await db.delete(media);
    expect((await as("owner")).firstSteps).toMatchObject([
      { to: "#first-plans" },
      { to: paths.studioUpload() },
    ]);
  } finally {
    Object.assign(config, { isDemo, contactEmail, backup });
  }
});

async function setSite(values: SectionValues) {
  for (const [name, value] of Object.entries(values))
    await db.insert(siteSettings).values({ name: `${ROW_PREFIX}${name}`, value });
  await loadSite();
}
