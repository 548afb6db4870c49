import { randomBytes } from "node:crypto";
import { expect, type Locator, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { withDatabase } from "../support/browser/database.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { addDrafts, removeItems, signInAsNewStaff } from "../support/browser/studio.ts";

/** The first half of the keys of their locks: "enc". */
const RUNNERS = 0x656e63;
const RUNNER = 71;

const sectionOf = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

async function picture(name: string, color: string) {
  const buffer = await sharp({ create: { width: 800, height: 1000, channels: 3, background: color } })
    .jpeg()
    .toBuffer();
  return { name, mimeType: "image/jpeg", buffer };
}

const captions = (text: string) => ({
  name: "en.srt",
  mimeType: "application/x-subrip",
  buffer: Buffer.from(text),
});

/** A draft with the files of one of the demo's videos. */
async function addVideo(): Promise<string> {
  const shortId = randomBytes(5).toString("hex").slice(0, 8);
  return withDatabase(async (sql) => {
    const [row] = await sql<{ id: string; source: string }[]>`
      WITH source AS (SELECT * FROM media WHERE type = 'video' AND status = 'published' ORDER BY title LIMIT 1)
      INSERT INTO media (type, short_id, slug, title, access, duration_seconds, width, height, color, status)
      SELECT type, ${shortId}, ${`copy-${shortId}`}, 'Copy', access, duration_seconds, width, height, color, 'draft'
      FROM source RETURNING id, (SELECT id FROM source) AS source`;
    if (!row) throw new Error("The demo has no video");
    await sql`INSERT INTO videos (media_id) VALUES (${row.id})`;
    await sql`INSERT INTO media_files (media_id, name, storage_key, content_type, bytes, sha256, crc32, needs, width, height)
      SELECT ${row.id}, name, storage_key, content_type, bytes, sha256, crc32, needs, width, height
      FROM media_files WHERE media_id = ${row.source} AND name NOT LIKE 'captions-%' AND retired_at IS NULL`;
    return row.id;
  });
}

async function open(
  page: Page,
  id: string,
  javaScriptEnabled: boolean | undefined,
  part = "",
): Promise<void> {
  await page.goto(`/studio/media/${id}${part}`);
  if (javaScriptEnabled !== false) await untilScriptsRun(page);
}

test("an editor gives a video another cover, from a moment and from an upload, and captions", async ({
  page,
  javaScriptEnabled,
}) => {
  test.setTimeout(120_000);
  const id = await addVideo();
  try {
    await signInAsNewStaff(page, "editor", "/studio");
    await open(page, id, javaScriptEnabled, "/cover");
    const cover = sectionOf(page, "Cover");
    await cover.getByLabel("A moment of the video").fill("99:59:59");
    await cover.getByRole("button", { name: "Preview as cover" }).first().click();
    await expect(page.getByRole("alert").first()).toContainText("Please choose an earlier moment");
    await cover.getByLabel("A moment of the video").fill("0:01");
    await cover.getByRole("button", { name: "Preview as cover" }).first().click();
    await cover.getByRole("button", { name: "Use the new cover" }).click({ timeout: 30_000 });
    await expect(cover.getByRole("status")).toHaveText("The new cover is saved.");
    await expect(cover.locator("img").first()).toHaveAttribute("src", /\/1\/cover-/);

    await cover.getByLabel("Another picture").setInputFiles(await picture("a; cover.jpg", "#225588"));
    await cover.getByRole("button", { name: "Preview as cover" }).last().click();
    await cover.getByRole("button", { name: "Use the new cover" }).click({ timeout: 30_000 });
    await expect(cover.getByRole("status")).toHaveText("The new cover is saved.");
    await expect(cover.locator("img").first()).toHaveAttribute("src", /\/2\/cover-/);

    await open(page, id, javaScriptEnabled, "/captions");
    const section = sectionOf(page, "Captions");
    await section.getByLabel("Language").fill("en");
    await section.getByLabel("Name that viewers see").fill("English");
    await section.getByLabel("File with the captions").setInputFiles(captions("only words"));
    await section.getByRole("button", { name: "Add the captions" }).click();
    await expect(section.getByText("it contains no captions").last()).toBeVisible();
    await section
      .getByLabel("File with the captions")
      .setInputFiles(captions("1\n00:00:01,000 --> 00:00:02,000\nHello\n"));
    await section.getByRole("button", { name: "Add the captions" }).click();
    await expect(section.getByRole("status").first()).toHaveText("The captions are saved.");
    await expect(section.getByRole("link", { name: "View the text" })).toBeVisible();
  } finally {
    await removeItems([id]);
  }
});

test("an editor reads why a step of a video failed, cancels the others, and tries all of them again", async ({
  page,
  javaScriptEnabled,
}) => {
  test.setTimeout(120_000);
  const id = await addVideo();
  const actions = () =>
    withDatabase(async (sql) => {
      const rows = await sql<{ action: string }[]>`SELECT action FROM audit_log WHERE subject_id = ${id}`;
      return rows.map(({ action }) => action).sort();
    });
  try {
    await withDatabase(async (sql) => {
      await sql`INSERT INTO media_encodings (media_id) VALUES (${id})`;
      // The site's worker begins none of them before the test is over.
      await sql`INSERT INTO media_work (media_id, step, position, after, state, attempts, last_lines, due_at) VALUES
        (${id}, 'source', 0, '{}', 'waiting', 0, '{}', now() + interval '1 day'),
        (${id}, 'rung-360', 1, '{source}', 'failed', 3, '{"the video is damaged or incomplete"}', now()),
        (${id}, 'hover', 2, '{source}', 'waiting', 0, '{}', now())`;
    });
    await signInAsNewStaff(page, "editor", "/studio");
    await open(page, id, javaScriptEnabled, "/files");
    const encoding = sectionOf(page, "Encoding");
    const step = (title: string) => encoding.getByRole("listitem").filter({ hasText: title });
    await expect(encoding.getByText("0 of 3 steps done. 1 step failed. The others continue.")).toBeVisible();
    await step("Size for players, 360p").getByText("Last messages").click();
    await expect(step("Size for players, 360p")).toContainText("the video is damaged or incomplete");

    await encoding.getByRole("button", { name: "Cancel" }).click();
    await expect(encoding.getByText(/^The change is saved\./)).toBeVisible();
    await expect(step("Three-second preview")).toContainText("Canceled");
    await expect(step("Size for players, 360p")).toContainText("Failed");
    await expect(encoding.getByRole("button", { name: "Cancel" })).toHaveCount(0);
    expect(await actions()).toEqual(["encoding.cancelled"]);

    await encoding.getByRole("button", { name: "Try again" }).click();
    await expect(step("Three-second preview")).toContainText("Waiting");
    await expect(step("Size for players, 360p")).toContainText("Waiting");
    await expect(encoding.getByRole("button", { name: "Cancel" })).toBeVisible();
    await expect(encoding.getByRole("button", { name: "Try again" })).toHaveCount(0);
    expect(await actions()).toEqual(["encoding.cancelled", "encoding.retried"]);
  } finally {
    await removeItems([id]);
  }
});

test("a publisher sees a step of a video progress, without a load of the page where scripts run", async ({
  page,
  javaScriptEnabled,
}) => {
  const id = await addVideo();
  try {
    await withDatabase(async (sql) => {
      // The lock of a runner of this number: the site's worker would take the step over without it.
      await sql`SELECT pg_advisory_lock(${RUNNERS}, ${RUNNER})`;
      await sql`INSERT INTO media_encodings (media_id) VALUES (${id})`;
      await sql`INSERT INTO media_work (media_id, step, position, state, percent, attempts, claimed_by, started_at)
        VALUES (${id}, 'rung-360', 0, 'running', 20, 1, ${RUNNER}, now())`;
      const goOn = (percent: number) =>
        sql`UPDATE media_work SET percent = ${percent} WHERE media_id = ${id}`;
      const announce = () =>
        sql`SELECT pg_notify('peony_live', ${JSON.stringify({ kind: "encoding", mediaId: id })})`;
      await signInAsNewStaff(page, "publisher", "/studio");
      await open(page, id, javaScriptEnabled, "/files");
      const step = sectionOf(page, "Encoding")
        .getByRole("listitem")
        .filter({ hasText: "Size for players, 360p" });
      const bar = step.getByRole("progressbar", { name: "Progress of Size for players, 360p" });
      const shows = async (percent: number, timeout?: number) => {
        await expect(step).toContainText(`${percent}%`, { timeout });
        await expect(bar).toHaveJSProperty("value", percent);
      };
      await shows(20);
      await goOn(45);
      if (javaScriptEnabled === false) {
        await page.reload();
        return shows(45);
      }
      const loads: string[] = [];
      page.on("request", (request) => void (request.url().includes(".data") && loads.push(request.url())));
      // The live connection opens after the scripts run.
      await expect(async () => {
        await announce();
        await shows(45, 1_000);
      }).toPass();
      await goOn(70);
      await announce();
      await shows(70);
      expect(loads).toEqual([]);
    });
  } finally {
    await removeItems([id]);
  }
});

test("a publisher describes and moves photos, leaves one out, adds and replaces some, and fetches their originals", async ({
  page,
  javaScriptEnabled,
}) => {
  test.setTimeout(120_000);
  const { ids } = await addDrafts(1);
  const [id = ""] = ids;
  const numbers = () =>
    withDatabase(async (sql) => {
      const rows = await sql<{ number: number }[]>`
        SELECT number FROM photos WHERE media_id = ${id} AND position IS NOT NULL ORDER BY position`;
      return rows.map(({ number }) => number);
    });
  try {
    await signInAsNewStaff(page, "publisher", "/studio");
    await open(page, id, javaScriptEnabled, "/photos");
    const before = await numbers();
    const photos = sectionOf(page, "Photos");
    const save = () => photos.getByRole("button", { name: "Save", exact: true }).click();
    const saved = () => expect(photos.getByText("The photos are saved.")).toBeVisible();
    await photos.getByLabel("Number of photo 4").fill("1");
    await photos.getByRole("checkbox", { name: "Leave out" }).nth(1).check();
    await photos.getByLabel("Photo 1, alternative text").fill("A window");
    await save();
    await saved();
    expect(await numbers()).toEqual([4, 1, 3, ...before.slice(4)]);
    await expect(photos.getByLabel("Photo 2, alternative text")).toHaveValue("A window");
    if (javaScriptEnabled !== false) {
      await open(page, id, javaScriptEnabled, "/photos");
      await photos.getByRole("button", { name: "Move photo 2 up" }).press("Enter");
      await expect(photos.getByRole("button", { name: "Move photo 2 up" })).toBeFocused();
      await expect(photos.getByText("Not saved yet")).toBeVisible();
      await save();
      await saved();
      expect(await numbers()).toEqual([1, 4, 3, ...before.slice(4)]);
      await open(page, id, javaScriptEnabled, "/photos");
      const [first, third] = [photos.getByRole("listitem").nth(0), photos.getByRole("listitem").nth(2)];
      await photos.getByLabel("Number of photo 4").fill("9");
      // A page that scrolls below a pressed mouse drags nothing.
      await page.setViewportSize({ width: 1280, height: 1600 });
      await first.getByTitle("Drag to another position").dragTo(third);
      await expect(photos.getByLabel("Number of photo 4")).toHaveValue("9");
      await photos.getByLabel("Number of photo 4").fill("4");
      await save();
      await saved();
      expect(await numbers()).toEqual([4, 3, 1, ...before.slice(4)]);
    }

    await photos.getByRole("checkbox", { name: "Bring it back" }).check();
    await save();
    await expect.poll(numbers).toHaveLength(before.length);
    await saved();

    const files = sectionOf(page, "Add photos");
    const added = [
      await picture("one.jpg", "#aa3355"),
      await picture("two=2.jpg", "#33aa55"),
      captions("no"),
    ];
    await files.getByLabel("New photos").setInputFiles(added);
    await files.getByRole("button", { name: "Add photos" }).click();
    await expect(files.getByText("2 photos imported, 1 not:")).toBeVisible({ timeout: 60_000 });
    await expect(files.getByText("en.srt: Not a supported picture.")).toBeVisible();
    expect(await numbers()).toHaveLength(before.length + 2);

    await open(page, id, javaScriptEnabled, "/photos");
    const typed = photos.getByLabel("Photo 2, alternative text");
    await typed.fill("Not saved");
    await photos.getByText("Replace photo 1", { exact: true }).click();
    await photos
      .getByLabel("New picture")
      .first()
      .setInputFiles(await picture("three.jpg", "#5533aa"));
    await photos.getByRole("button", { name: "Replace the photo" }).first().click();
    await expect(photos.getByText("The photo is replaced.")).toBeVisible({ timeout: 60_000 });
    if (javaScriptEnabled !== false) await expect(typed).toHaveValue("Not saved");
    page.once("dialog", (dialog) => dialog.accept());

    await open(page, id, javaScriptEnabled, "/files");
    const originals = sectionOf(page, "Originals");
    await expect(originals.getByRole("listitem")).toHaveCount(3);
    const fetched = page.waitForEvent("download");
    await originals.getByRole("link", { name: "Download one.jpg" }).click();
    expect((await fetched).suggestedFilename()).toContain("one");
    await open(page, id, javaScriptEnabled);
    await expect(sectionOf(page, "History")).toContainText("downloaded the original of photo");
  } finally {
    await removeItems(ids);
  }
});

test("an editor sees the picture of each photo of a set, of a left-out one, and as a cover", async ({
  page,
}) => {
  const { ids } = await addDrafts(1);
  const [id = ""] = ids;
  try {
    await withDatabase(
      (sql) =>
        sql`UPDATE photos SET position = NULL, left_out_at = now() WHERE media_id = ${id} AND number = 1`,
    );
    await signInAsNewStaff(page, "editor", "/studio");
    for (const [name, part, region] of [
      ["Photos", "/photos", sectionOf(page, "Photos").getByRole("list")],
      ["Left-out photos", "/photos", page.getByRole("group", { name: "Left-out photos" })],
      ["Cover", "/cover", sectionOf(page, "Cover")],
    ] as const) {
      await open(page, id, true, part);
      const pictures = await region.locator("img").all();
      expect(pictures.length, name).toBeGreaterThan(0);
      for (const picture of pictures) {
        await picture.scrollIntoViewIfNeeded();
        const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
        await expect.poll(width, { message: name }).toBeGreaterThan(0);
      }
    }
  } finally {
    await removeItems(ids);
  }
});
