import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { desc, eq, like, sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { signInMail } from "#app/domain/auth/sign-in-mail.tsx";
import { checkFiles } from "#app/domain/catalog/media/check-files.server.ts";
import { objectsBelow } from "#app/domain/media/storage/media-storage.server.ts";
import { followSite, site as ownSite } from "#app/domain/site/site.server.ts";
import { versionOf } from "#app/domain/staff/part-versions.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { media } from "#db/schema/catalog.ts";
import { siteFiles, siteSettings } from "#db/schema/site.ts";
import { auditLog } from "#db/schema/staff.ts";
import { openedPart } from "#tests/support/edit-part.ts";
import { createVideo } from "#tests/support/media.ts";
import { adultCookie, createMember, letSignInGrowOld, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";
import { shownValue } from "../support/forms.ts";
import { newestMail } from "../support/mails.ts";
import { openedSettings, settingsIn } from "../support/settings-form.ts";

// The machine may be busy while it decodes pictures.
vi.setConfig({ testTimeout: 120_000 });

const UNTIL_HEARD = { timeout: 20_000, interval: 200 };

const [site, otherProcess] = await Promise.all([
  startSite({ dataDir: config.dataDir }),
  startSite({ dataDir: config.dataDir }),
]);
// As a worker does.
const problems: unknown[] = [];
await followSite(10_000, (problem) => problems.push(problem));
afterAll(() => Promise.all([site.stop(), otherProcess.stop()]));
beforeEach(async () => {
  await db.delete(rateLimits);
  await db.delete(siteSettings).where(like(siteSettings.name, "site.%"));
  await rm(config.pagesDir, { recursive: true, force: true });
});

test("a changed name and color are on the pages of every process, and in its emails", async () => {
  const jar = await ownerJar();
  const before = await homeOf(otherProcess);
  expect(before).toContain("<title>Peony</title>");
  expect(before).not.toContain("--pink-6");
  expect(await save(jar, "name", { siteName: "Lantern & Co." })).toBe("saved");
  expect(await save(jar, "color", { accent: "#0B5FA5" })).toBe("saved");
  for (const each of [site, otherProcess]) {
    await expect.poll(() => homeOf(each), UNTIL_HEARD).toContain("<title>Lantern &amp; Co.</title>");
    await expect.poll(() => homeOf(each), UNTIL_HEARD).toContain("--pink-6:#0b5fa5");
  }
  await expect.poll(() => ownSite.name, UNTIL_HEARD).toBe("Lantern & Co.");
  await expect.poll(() => ownSite.accent?.steps[6], UNTIL_HEARD).toBe("#0b5fa5");
  const facts = { link: "http://localhost/x", code: "ABCD2345", device: "Firefox", purpose: null };
  const mail = await signInMail("a@example.com", { siteName: ownSite.name, ...facts } as never);
  expect(mail.subject).toContain("Lantern & Co.");
  expect(mail.html).toContain("#0b5fa5");
  expect(mail.html).not.toContain("#d92d72");

  expect(await save(jar, "color", { reset: "yes" })).toBe("saved");
  expect(await save(jar, "name", { siteName: "" })).toBe("saved");
  await expect.poll(() => homeOf(otherProcess), UNTIL_HEARD).toBe(before);
});

test("the words of the home page and the four texts are the owner's, and Markdown holds no HTML", async () => {
  const jar = await ownerJar();
  await save(jar, "name", { siteName: "Lantern", headline: "Slow <light>", words: "Only here." });
  await save(jar, "about", { about: "# About {{siteName}}\n\n<script>alert(1)</script>\n\nWe are **few**." });
  await expect.poll(() => homeOf(otherProcess), UNTIL_HEARD).toContain("Slow &lt;light&gt;");
  await expect
    .poll(async () => (await otherProcess.fetch(paths.about())).text(), UNTIL_HEARD)
    .toContain("<strong>few</strong>");
  const about = await (await site.fetch(paths.about())).text();
  expect(about).toContain("<h1>About Lantern</h1>");
  expect(about).not.toContain("<script>alert");
});

test("a custodian is named on the page of the records, also in a text without a placeholder", async () => {
  const jar = await ownerJar();
  const custodian = {
    custodianName: "J. *Doe*",
    custodianAddress: "1 Main St.\nSpringfield",
    custodianSince: "2026-01-31",
  };
  expect(await save(jar, "custodian", { custodianName: "J. Doe" })).toContain("street address");
  expect(await save(jar, "custodian", { ...custodian, custodianSince: "2998-01-01" })).toContain("future");
  expect(await save(jar, "custodian", custodian)).toBe("saved");
  const records = async () => (await (await site.fetch(paths.records())).text()).replaceAll("<!-- -->", "");
  await expect.poll(records, UNTIL_HEARD).toContain("<strong>J. *Doe*</strong>");
  expect(await records()).toContain("31 January 2026");
  expect(await records()).not.toContain("Hosts: name the custodian");
  await save(jar, "records", { records: "# Our records" });
  await expect.poll(records, UNTIL_HEARD).toContain("<h1>Our records</h1>");
  expect(await records()).toContain("1 Main St.");
});

test("a file of the host and the environment win, and the page says so beside the field", async () => {
  await mkdir(config.pagesDir, { recursive: true });
  await writeFile(join(config.pagesDir, "about.md"), "# By the host");
  const hosted = await startSite({
    dataDir: config.dataDir,
    env: { SITE_NAME: "Hosted", TIME_ZONE: "Europe/Berlin" },
  });
  try {
    const jar = await ownerJar(hosted);
    const name = await pageOf(jar, "name");
    expect(name).toContain("The setting SITE_NAME on the server decides this.");
    expect(name).toMatch(/<input[^>]*disabled=""[^>]*value="Hosted"/);
    expect(name).not.toContain('name="siteName"');
    expect(await pageOf(jar, "time")).toContain("The setting TIME_ZONE on the server decides this.");
    expect(await pageOf(jar, "about")).toContain("The file about.md in the pages folder decides this.");
    expect((await pageOf(jar)).match(/Set on the server/g)?.length).toBe(1);
    expect(await save(jar, "name", { headline: "Mine too" })).toBe("saved");
    // The page has no form for this one.
    const about = { version: versionOf({ about: "" }), about: "# Mine" };
    expect((await jar.post(paths.studioSettings("about"), about)).status).toBe(422);
    expect(await storedNames()).toEqual(["site.headline"]);
    expect(await (await hosted.fetch(paths.about())).text()).toContain("<h1>By the host</h1>");
    expect(await homeOf(hosted)).toContain("<title>Hosted</title>");
  } finally {
    await hosted.stop();
  }
});

test("each wrong value is refused beside its field, and everything typed is kept", async () => {
  const jar = await ownerJar();
  const wrong: [section: string, fields: Record<string, string>, sentence: string][] = [
    [
      "name",
      { siteName: "x".repeat(61), headline: "Kept" },
      "The name is 1 character too long. The limit is 60.",
    ],
    ["name", { siteName: "\u200b" }, "at least one visible letter"],
    ["color", { accent: "#ffc0cb" }, "needs 4.5:1"],
    ["color", { accent: "red;}" }, "six digits"],
    ["contact", { contactEmail: "a@example.com, b@example.com" }, "one email address"],
    ["time", { timeZone: "+02:00" }, "Europe/Berlin"],
    ["terms", { terms: "x".repeat(20_002) }, "The text is 2 characters too long"],
    ["logo", { logo: "0".repeat(32) }, "has been deleted"],
    ["logo", { logo: "../../etc" }, "again"],
  ];
  for (const [section, fields, sentence] of wrong) {
    const answer = await save(jar, section, fields);
    expect(answer).toContain(sentence);
    if (fields.headline) expect(answer).toContain('value="Kept"');
  }
  expect(await storedNames()).toEqual([]);
  const suggested =
    /Save (#[0-9a-f]{6}) instead/.exec(await save(jar, "color", { accent: "#ffc0cb" }))?.[1] ?? "";
  expect(await save(jar, "color", { accent: "#ffc0cb", suggestion: suggested })).toBe("saved");
  expect(await storedNames()).toEqual(["site.accent"]);
});

test("somebody else's save is not overwritten, and both versions are shown", async () => {
  const [ann, bob] = [await ownerJar(), await ownerJar()];
  const opened = await openedSettings(ann, "name");
  expect(await save(bob, "name", { headline: "Bob's" })).toBe("saved");
  const form = { ...opened, siteName: "Ann's", headline: "Ann's" };
  const refused = await ann.post(paths.studioSettings("name"), form);
  const page = (await refused.text()).replaceAll("<!-- -->", "");
  expect(refused.status).toBe(409);
  expect(page).toContain("Headline, as it is saved now");
  expect(page).toContain("Bob&#x27;s");
  expect(page).toMatch(/The last edit is by \S+@\S+, on /);
  expect(page).toContain("Save mine");
  expect(await storedNames()).toEqual(["site.headline"]);
  const version = shownValue(page, "version");
  expect((await ann.post(paths.studioSettings("name"), { ...form, version })).status).toBe(303);
  const rows = await db.select().from(siteSettings).where(like(siteSettings.name, "site.%"));
  expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual({
    "site.siteName": "Ann's",
    "site.headline": "Ann's",
  });
});

test("every change has an entry in the audit log, in words, and a refused one has none", async () => {
  const jar = await ownerJar();
  const count = () => db.$count(auditLog, eq(auditLog.action, "site.edited"));
  const before = await count();
  await save(jar, "contact", { contactEmail: "hello@Bücher.example" });
  await save(jar, "contact", { contactEmail: "nobody" });
  expect(await count()).toBe(before + 1);
  const [entry] = await db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
  expect(entry).toMatchObject({
    subjectId: "contact",
    before: { contactEmail: "" },
    after: { contactEmail: "hello@xn--bcher-kva.example" },
  });
  const log = (await (await jar.visit(paths.studioAudit())).text()).replaceAll("<!-- -->", "");
  expect(log).toContain("changed a setting: contact address");
  expect(log).toContain("Contact address: the default → hello@xn--bcher-kva.example");
});

test("an old sign-in saves nothing and keeps the form and its preview, which a second press saves", async () => {
  const owner = await createMember({ role: "owner" });
  const jar = await jarOf(owner.id);
  const name = paths.studioSettings("name");
  const form = { ...(await openedSettings(jar, "name")), siteName: "Later", previewed: "yes" };
  await letSignInGrowOld(owner.id, "13 hours");
  const refused = await jar.post(name, form);
  const page = await refused.text();
  expect(refused.status).toBe(401);
  expect(page).toContain('value="Later"');
  expect(page).toContain("Preview, not saved yet");
  expect(page).not.toContain('name="code"');
  expect(await storedNames()).toEqual([]);
  await letSignInGrowOld(owner.id, "0 minutes");
  expect((await jar.post(name, form)).status).toBe(303);
  expect(await storedNames()).toEqual(["site.siteName"]);
});

test("the custodian needs a code inside the form, which keeps its values; a preview needs none", async () => {
  const owner = await createMember({ role: "owner" });
  const jar = await jarOf(owner.id);
  const path = paths.studioSettings("custodian");
  const typed = { custodianName: "J. Doe", custodianAddress: "1 Main St.", custodianSince: "2026-01-31" };
  const form = { ...(await openedSettings(jar, "custodian")), ...typed };
  await letSignInGrowOld(owner.id, "61 minutes");
  const previewed = await jar.post(path, { ...form, intent: "preview" });
  expect([previewed.status, await previewed.text()]).toEqual([
    200,
    expect.stringContaining("Preview, not saved yet"),
  ]);
  // What is wrong is said before a code is sent.
  const wrong = await jar.post(path, { ...form, custodianSince: "2998-01-01" });
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.not.stringContaining('name="code"')]);
  const refused = await jar.post(path, { ...form, previewed: "yes" });
  const page = await refused.text();
  expect(refused.status).toBe(403);
  expect(page).toContain('value="J. Doe"');
  expect(page).toContain('name="code"');
  expect(page).toContain("Preview, not saved yet");
  expect(await storedNames()).toEqual([]);
  expect((await jar.post(path, { ...form, code: "WRONG234" })).status).toBe(403);
  expect(await storedNames()).toEqual([]);
  const { code } = await newestMail(owner.email);
  expect((await jar.post(path, { ...form, code })).status).toBe(303);
  expect(await storedNames()).toEqual(["site.custodianAddress", "site.custodianName", "site.custodianSince"]);
});

test("a form that was refused a reset holds the defaults, so that its next save resets", async () => {
  const owner = await createMember({ role: "owner" });
  const [jar, other] = [await jarOf(owner.id), await ownerJar()];
  const reset = async (section: string, status: number, opened?: Record<string, string>) => {
    const form = { ...(opened ?? (await openedSettings(jar, section))), reset: "yes" };
    const refused = await jar.post(paths.studioSettings(section), form);
    const page = await refused.text();
    expect([section, refused.status]).toEqual([section, status]);
    return settingsIn(page, section);
  };
  const saveAgain = async (section: string, form: Record<string, string>) =>
    (await jar.post(paths.studioSettings(section), form)).status;
  const typed = { custodianName: "J. Doe", custodianAddress: "1 Main St.", custodianSince: "2026-01-31" };
  expect(await save(jar, "custodian", typed)).toBe("saved");
  await letSignInGrowOld(owner.id, "61 minutes");
  const custodian = await reset("custodian", 403);
  expect(custodian).toMatchObject({ custodianName: "", custodianAddress: "", custodianSince: "" });
  const { code } = await newestMail(owner.email);
  expect(await saveAgain("custodian", { ...custodian, code })).toBe(303);
  expect(await storedNames()).toEqual([]);

  expect(await save(jar, "terms", { terms: "Our own" })).toBe("saved");
  expect((await upload(jar, "logo", await png(), "save")).status).toBe(303);
  const before = { terms: await openedSettings(jar, "terms"), logo: await openedSettings(jar, "logo") };
  await letSignInGrowOld(owner.id, "13 hours");
  const terms = await reset("terms", 401, before.terms);
  const logo = await reset("logo", 401, before.logo);
  await letSignInGrowOld(owner.id, "0 minutes");
  expect(await saveAgain("terms", terms)).toBe(303);
  expect(await saveAgain("logo", logo)).toBe(303);
  expect(await storedNames()).toEqual([]);

  expect(await save(jar, "name", { headline: "Own" })).toBe("saved");
  const opened = await openedSettings(jar, "name");
  expect(await save(other, "name", { headline: "Another" })).toBe("saved");
  expect(await saveAgain("name", await reset("name", 409, opened))).toBe(303);
  expect(await storedNames()).toEqual([]);
});

test("a suggested color stays in the form when an old sign-in saves it", async () => {
  const owner = await createMember({ role: "owner" });
  const jar = await jarOf(owner.id);
  const form = { ...(await openedSettings(jar, "color")), accent: "#ffc0cb", suggestion: "#0b5fa5" };
  await letSignInGrowOld(owner.id, "13 hours");
  const refused = await jar.post(paths.studioSettings("color"), form);
  expect(refused.status).toBe(401);
  expect(settingsIn(await refused.text(), "color")).toMatchObject({ accent: "#0b5fa5" });
});

test("a logo, an icon and a share picture are made, previewed, used after a save, and given back", async () => {
  const jar = await ownerJar();
  for (const [kind, names] of [
    ["logo", ["logo.png"]],
    ["icon", ["apple-touch-icon.png", "icon-192.png", "icon-32.png"]],
    ["share", ["share.jpg"]],
  ] as const) {
    const made = await upload(jar, kind, await png());
    const page = await made.text();
    expect(made.status).toBe(200);
    expect(page).toContain("Save it to use it.");
    const version = new RegExp(`name="${kind}" value="([0-9a-f]{32})"`).exec(page)?.[1] ?? "";
    expect(await homeOf(site)).not.toContain(version);
    expect(await save(jar, kind, { [kind]: version })).toBe("saved");
    for (const name of names) {
      const file = await site.fetch(paths.siteFile(version, name));
      expect([file.status, file.headers.get("cache-control")]).toEqual([
        200,
        "public, max-age=31536000, immutable, no-transform",
      ]);
      const { width, height } = await sharp(await file.arrayBuffer()).metadata();
      if (kind === "share") expect([width, height]).toEqual([1200, 630]);
      if (kind === "logo") expect(height).toBeLessThanOrEqual(96);
      if (name === "icon-32.png") expect([width, height]).toEqual([32, 32]);
    }
    const address = paths.siteFile(version, names.at(-1) ?? "");
    await expect.poll(() => homeOf(otherProcess), UNTIL_HEARD).toContain(address);
  }
  const home = await homeOf(site);
  expect(home).toMatch(/<img[^>]*alt="Peony"/);
  expect(home).not.toContain("/favicon.ico");
  expect(home).toMatch(/property="og:image" content="[^"]*\/site\/[0-9a-f]{32}\/share\.jpg"/);
  const fileProblems: unknown[] = [];
  await checkFiles({ isReadingBytes: true, onProblem: (problem) => fileProblems.push(problem) });
  expect(fileProblems).toEqual([]);
  expect(await save(jar, "logo", { reset: "yes" })).toBe("saved");
  await expect.poll(() => homeOf(otherProcess), UNTIL_HEARD).not.toMatch(/<img[^>]*alt="Peony"/);
});

test.each<[string, () => Promise<Buffer> | Buffer, number, RegExp]>([
  [
    "an SVG",
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    422,
    /SVG pictures can hold scripts/,
  ],
  ["a file of 6 MB", () => Buffer.alloc(6 * 1024 * 1024), 413, /larger than 5 MB/],
  [
    "a picture that unpacks to gigabytes",
    () =>
      sharp({
        create: { width: 16_000, height: 8_000, channels: 3, background: "#808" },
        limitInputPixels: false,
      })
        .png()
        .toBuffer(),
    422,
    /megapixels|unpacked/,
  ],
])("%s is refused as a logo, and nothing of it is stored", async (_, make, status, sentence) => {
  const jar = await ownerJar();
  const [rows, files] = [await db.$count(siteFiles), await storedFiles()];
  const answer = await upload(jar, "logo", await make());
  expect([answer.status, (await answer.text()).replaceAll("<!-- -->", "")]).toEqual([
    status,
    expect.stringMatching(sentence),
  ]);
  expect([await db.$count(siteFiles), await storedFiles()]).toEqual([rows, files]);
});

test("a picture that is also an HTML page loses the HTML", async () => {
  const jar = await ownerJar();
  const polyglot = Buffer.concat([await png(), Buffer.from("<script>alert(document.cookie)</script>")]);
  const page = await (await upload(jar, "share", polyglot)).text();
  const version = /name="share" value="([0-9a-f]{32})"/.exec(page)?.[1] ?? "";
  const file = await site.fetch(paths.siteFile(version, "share.jpg"));
  expect(file.headers.get("content-type")).toBe("image/jpeg");
  expect(file.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(Buffer.from(await file.arrayBuffer()).toString("latin1")).not.toContain("alert");
});

test("below /site/ only the files of rows are served", async () => {
  const jar = await ownerJar();
  const page = await (await upload(jar, "logo", await png())).text();
  const version = /name="logo" value="([0-9a-f]{32})"/.exec(page)?.[1] ?? "";
  expect((await site.fetch(paths.siteFile(version, "logo.png"))).status).toBe(200);
  for (const path of [
    `/site/${version}/icon-32.png`,
    `/site/${version}/..%2f..%2fsession-secret`,
    `/site/${version}/%2e%2e`,
    `/site/${"0".repeat(32)}/logo.png`,
    `/site/logo/${version}`,
    "/site/x/y",
    `/site/${version.toUpperCase()}/logo.png`,
    `/site/${version}/logo.png%00`,
  ]) {
    const { status } = await site.fetch(path);
    expect([path, status < 500 && status >= 400]).toEqual([path, true]);
  }
  // A file without a row is not served, whoever put it there.
  await db.delete(siteFiles).where(eq(siteFiles.version, version));
  expect((await otherProcess.fetch(paths.siteFile(version, "logo.png"))).status).toBe(404);
});

test("a form that was open while the time zone changed means the moments that it showed", async () => {
  const jar = await ownerJar();
  const expireAt = new Date("2031-05-31T10:00:00Z");
  const { id } = await createVideo({ title: "Dusk", status: "draft", expireAt });
  const dates = paths.studioItemPart(id, "dates");
  const page = await (await jar.visit(dates)).text();
  const { version } = await openedPart(id, "dates");
  expect(page).toMatch(/name="timeZone"[^>]* value="UTC"/);
  expect(await save(jar, "time", { timeZone: "Europe/Berlin" })).toBe("saved");
  const typed = {
    ...{ timeZone: "UTC", producedOn: "2026-01-31", expireAt: "2031-05-31T10:00" },
    expiredAt: expireAt.toISOString(),
  };
  const item = (form: Record<string, string>) => jar.post(paths.studioItemForm(id), form);
  expect((await jar.post(dates, { version, ...typed })).status).toBe(303);
  const stored = async () => (await db.select().from(media).where(eq(media.id, id)))[0];
  expect(await stored()).toMatchObject({ producedOn: "2026-01-31", expireAt });
  expect(
    (
      await item({
        intent: "schedule",
        timeZone: "UTC",
        publishAt: "2031-01-31T10:00",
        // It has no credit.
        confirm: "yes",
      })
    ).status,
  ).toBe(303);
  expect(await stored()).toMatchObject({ publishAt: new Date("2031-01-31T10:00:00Z") });
  const reopened = await (await jar.visit(dates)).text();
  expect(reopened).toMatch(/name="timeZone"[^>]* value="Europe\/Berlin"/);
  expect(reopened).toContain('value="2031-05-31T12:00"');
  const { version: newer } = await openedPart(id, "dates");
  const wrong = { ...typed, version: newer, expireAt: "2031-06-30T10:00", timeZone: "Nowhere" };
  expect((await jar.post(dates, wrong)).status).toBe(422);
  expect(await stored()).toMatchObject({ expireAt });
  const bulk = { change: "publishAt", id, value: "2031-02-28T10:00", timeZone: "UTC" };
  const preview = await (await jar.visit(paths.studioBulk(bulk))).text();
  expect(preview.match(/name="timeZone" value="UTC"/g)?.length).toBe(2);
});

test("a preview of values that cannot be saved says so, and keeps them", async () => {
  const jar = await ownerJar();
  const custodian = { custodianName: "J. Doe", custodianAddress: "1 Main St.", custodianSince: "2026-02-30" };
  const wrong = await preview(jar, "custodian", custodian);
  expect(wrong).toContain("must be a day");
  expect(wrong).toContain('value="J. Doe"');
  const color = await preview(jar, "color", { accent: "red" });
  expect(color).toContain("six digits");
  expect(color).not.toContain("Preview, not saved yet");
  expect(await preview(jar, "color", { accent: "#ffc0cb" })).toContain("Preview, not saved yet");
  await save(jar, "custodian", { ...custodian, custodianSince: "2026-01-31" });
  const records = await preview(jar, "records", { records: "# Our records" });
  expect(records).toContain("31 January 2026");
});

test("the preview of a contact address has the sentences of the pages that name it, and nothing else", async () => {
  const jar = await ownerJar();
  const text =
    "# About\n\nWe are few. Write to {{contactEmail}}, e.g. about us. We answer.\n\n- Or {{contactEmail}}";
  expect(await save(jar, "about", { about: text })).toBe("saved");
  const page = await preview(jar, "contact", { contactEmail: "hello@bücher.example" });
  const shown = /<section[^>]*aria-label="Preview"[^>]*>(.*?)<\/section>/s.exec(page)?.[1] ?? "";
  const lines = shown
    .replaceAll(/<\/?a\b[^>]*>/g, "")
    .split(/<[^>]*>/)
    .filter((line) => line !== "");
  expect(lines.slice(0, 5)).toEqual([
    "Preview, not saved yet",
    "At the bottom of every page and email: hello@xn--bcher-kva.example",
    "About",
    "Write to hello@xn--bcher-kva.example, e.g. about us.",
    "Or hello@xn--bcher-kva.example",
  ]);
  expect(shown).toContain('href="mailto:hello@xn--bcher-kva.example"');
  expect(shown).toContain("Terms and Conditions");
  expect(shown).not.toContain("We are few");
  const wrong = await preview(jar, "contact", { contactEmail: "nobody" });
  expect(wrong).toContain("must be one email address");
  expect(wrong).not.toContain("Preview, not saved yet");
  expect(await storedNames()).toEqual(["site.about"]);
});

test("the preview of a time zone has the present time there, and the next scheduled release", async () => {
  await db.execute(sql`UPDATE media SET status = 'draft', publish_at = NULL WHERE status = 'scheduled'`);
  const jar = await ownerJar();
  const zone = (name: string) => preview(jar, "time", { timeZone: name });
  expect(await zone("Asia/Kathmandu")).toContain("No item is scheduled.");
  const publishAt = new Date("2031-01-31T18:30:00Z");
  await createVideo({ title: "Slow <Dawn>", status: "scheduled", publishAt });
  await createVideo({ title: "Later", status: "scheduled", publishAt: new Date("2031-02-01T18:30:00Z") });
  const now = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "Asia/Kathmandu" });
  const begunOn = now.format(new Date());
  const page = await zone("Asia/Kathmandu");
  expect(page).toMatch(new RegExp(`, (?:${begunOn}|${now.format(new Date())}), `));
  expect(page).toContain("“Slow &lt;Dawn&gt;”");
  expect(page).toContain("Saturday, 1 February 2031, 00:15 (Asia/Kathmandu)");
  expect(page).toContain("Friday, 31 January 2031, 18:30 (UTC)");
  expect(await zone("Nowhere/None")).toContain("such as Europe/Berlin");
  expect(await storedNames()).toEqual([]);
});

test("the saves of two owners never mix into one custodian", async () => {
  const [ann, bob] = [await ownerJar(), await ownerJar()];
  const whole = { custodianName: "J. Doe", custodianAddress: "1 Main St.", custodianSince: "2026-01-31" };
  expect(await save(ann, "custodian", whole)).toBe("saved");
  const form = { ...(await openedSettings(ann, "custodian")), custodianAddress: "2 Side St." };
  expect(await save(bob, "custodian", { ...whole, custodianName: "R. Roe" })).toBe("saved");
  const refused = await ann.post(paths.studioSettings("custodian"), form);
  const page = await refused.text();
  expect(refused.status).toBe(409);
  expect(page).toContain("R. Roe");
  const version = shownValue(page, "version");
  expect((await ann.post(paths.studioSettings("custodian"), { ...form, version })).status).toBe(303);
  // Emptied by one, changed by the other.
  const opened = await openedSettings(ann, "custodian");
  expect(await save(bob, "custodian", { reset: "yes" })).toBe("saved");
  const other = { ...opened, custodianName: "A. Other" };
  expect((await ann.post(paths.studioSettings("custodian"), other)).status).toBe(409);
  expect(await storedNames()).toEqual([]);
});

test("a replaced picture stays for a day, and a conflict about one is resolved beside it", async () => {
  const [ann, bob] = [await ownerJar(), await ownerJar()];
  const versionOfPicture = (page: string) => /name="share" value="([0-9a-f]{32})"/.exec(page)?.[1] ?? "";
  const uploaded = async (jar: Jar) =>
    versionOfPicture(await (await upload(jar, "share", await png())).text());
  const statusOf = async (version: string) => (await site.fetch(paths.siteFile(version, "share.jpg"))).status;
  const age = (version: string) =>
    db
      .update(siteFiles)
      .set({ createdAt: sql`now() - interval '2 days'` })
      .where(eq(siteFiles.version, version));
  const first = await uploaded(ann);
  expect(await save(ann, "share", { share: first })).toBe("saved");
  await age(first);
  const opened = await openedSettings(ann, "share");
  const [second, third] = [await uploaded(ann), await uploaded(bob)];
  expect(await save(bob, "share", { share: third })).toBe("saved");
  expect(await statusOf(first)).toBe(200);
  const chosen = { ...opened, share: second, previewed: "yes" };
  const refused = await ann.post(paths.studioSettings("share"), chosen);
  const page = await refused.text();
  expect(refused.status).toBe(409);
  expect(page).toContain(`src="${paths.siteFile(second, "share.jpg")}"`);
  expect(page).toContain("Save it to use it.");
  const kept = { version: shownValue(page, "version"), share: versionOfPicture(page) };
  expect((await ann.post(paths.studioSettings("share"), kept)).status).toBe(303);
  await age(first);
  expect(await save(ann, "share", { reset: "yes" })).toBe("saved");
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
});

test("a chosen picture is saved without a preview, nothing is saved without one, and only files count as pictures", async () => {
  const { id } = await createMember({ role: "owner" });
  const jar = await jarOf(id);
  const previewed = settingsIn(await (await upload(jar, "logo", await png())).text(), "logo");
  expect((await upload(jar, "icon", await png(), "save")).status).toBe(303);
  expect(await storedNames()).toEqual(["site.icon"]);
  expect(await save(jar, "icon", {})).toContain("Please choose a picture file first.");
  while ((await takePoint("picturesByUser", id)) === null);
  expect((await upload(jar, "icon", await png(), "save")).status).toBe(429);
  expect(await save(jar, "logo", previewed)).toBe("saved");
});

async function ownerJar(of = site): Promise<Jar> {
  return jarOf((await createMember({ role: "owner" })).id, of);
}

async function jarOf(userId: string, of = site): Promise<Jar> {
  const jar = new Jar(of);
  for (const pair of (await signedInCookie(userId)).split("; ")) {
    const at = pair.indexOf("=");
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return jar;
}

/** "saved", or the page of the refusal as plain text of HTML. */
async function save(jar: Jar, section: string, fields: Record<string, string>): Promise<string> {
  const form = { ...(await openedSettings(jar, section)), ...fields };
  const answer = await jar.post(paths.studioSettings(section), form);
  if (answer.status === 303) return "saved";
  return (await answer.text()).replaceAll("<!-- -->", "");
}

function preview(jar: Jar, section: string, fields: Record<string, string>): Promise<string> {
  return save(jar, section, { ...fields, intent: "preview" });
}

async function pageOf(jar: Jar, section?: string): Promise<string> {
  return (await (await jar.visit(paths.studioSettings(section))).text()).replaceAll("<!-- -->", "");
}

async function homeOf(of: typeof site): Promise<string> {
  const answer = await of.fetch(paths.home(), { headers: { cookie: await adultCookie() } });
  // The nonce and the port of a process are its own.
  const page = (await answer.text()).replaceAll(/nonce="[^"]*"/g, "").replaceAll(of.origin, "");
  return page.replaceAll(/http:\/\/localhost:\d+/g, "");
}

async function upload(jar: Jar, kind: string, bytes: Buffer, intent = "preview"): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(await openedSettings(jar, kind))) form.set(name, value);
  form.set("intent", intent);
  form.set("picture", new File([new Uint8Array(bytes)], "picture.png", { type: "image/png" }));
  return jar.visit(paths.studioSettings(kind), {
    method: "POST",
    body: form,
    headers: { Origin: site.origin },
  });
}

function png(): Promise<Buffer> {
  return sharp({
    create: { width: 640, height: 320, channels: 4, background: { r: 20, g: 90, b: 160, alpha: 0.5 } },
  })
    .png()
    .toBuffer();
}

async function storedNames(): Promise<string[]> {
  const rows = await db
    .select({ name: siteSettings.name })
    .from(siteSettings)
    .where(like(siteSettings.name, "site.%"));
  return rows.map(({ name }) => name).sort();
}

async function storedFiles(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { storageKey } of objectsBelow("site")) keys.push(storageKey);
  return keys.sort();
}
