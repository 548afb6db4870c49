import { createHash } from "node:crypto";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { withDatabase } from "../support/browser/database.ts";
import { throttle } from "../support/browser/network.ts";
import { signIn } from "../support/browser/people.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { signInAsNewStaff } from "../support/browser/studio.ts";
import { writePicture } from "../support/browser/write-picture.ts";

const SLOW_BYTES_PER_SECOND = 6e6;

/** Lets go of files and folders over the zone, as a person does who drags them from the desktop. */
async function drop(page: Page, paths: string[]): Promise<void> {
  const region = page.getByRole("region", { name: "Choose files" });
  await region.scrollIntoViewIfNeeded();
  const zone = await region.boundingBox();
  if (zone === null) throw new Error("there is no zone to drop files on");
  const session = await page.context().newCDPSession(page);
  const at = { x: zone.x + zone.width / 2, y: zone.y + 10 };
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, ...at, data });
}

test("an editor's large file resumes after a reload, and a folder and files beside it become drafts", async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "peony-upload-"));
  const large = join(folder, "Large.jpg");
  const bytes = await writePicture(large, 40 * 1024 ** 2);
  await signInAsNewStaff(page, "editor", "/studio/upload");
  await untilScriptsRun(page);
  await throttle(page, SLOW_BYTES_PER_SECOND);
  const choose = page.getByLabel("Choose files", { exact: true }).and(page.locator("input"));
  await choose.setInputFiles(large);
  await expect(page.getByText(/^(?:[1-3]?\d)(?:\.\d)? MB of 42 MB\./)).toBeVisible();
  await expect(page.getByText(/left\.$/)).toBeVisible();
  await expect(page.getByText(/^(?:1\d|2\d) MB of 42 MB\./)).toBeVisible();
  // Otherwise all of it may have come before a slow machine presses Pause.
  await throttle(page, SLOW_BYTES_PER_SECOND / 10);
  await page.reload();
  await untilScriptsRun(page);
  await expect(page.getByText("Choose the same file again to continue.")).toBeVisible();
  await expect(page.getByText(/^(?:[5-9]|1\d|2\d|3\d)(?:\.\d)? MB of 42 MB\./)).toBeVisible();
  await choose.setInputFiles(large);
  await page.getByRole("button", { name: "Pause Large.jpg" }).click();
  await expect(page.getByText("Paused.")).toBeVisible();
  await throttle(page, SLOW_BYTES_PER_SECOND);
  await page.getByRole("button", { name: "Resume Large.jpg" }).click();
  await expect(page.getByRole("link", { name: "Large.jpg" })).toBeVisible({ timeout: 60_000 });
  const hash = createHash("sha256").update(bytes).digest("hex");
  const stored = await withDatabase(
    (sql) => sql`SELECT bytes::int FROM media_originals WHERE file_name = 'Large.jpg' AND sha256 = ${hash}`,
  );
  expect(stored).toEqual([{ bytes: bytes.length }]);

  await mkdir(join(folder, "Meadow"));
  for (const name of ["1.jpg", "2.jpg", "notes.pdf"]) await writePicture(join(folder, "Meadow", name));
  await writeFile(join(folder, "Meadow", "notes.pdf"), `%PDF-1.4 ${"x".repeat(2_000)}`);
  const meadowFolder = join(folder, "Meadow");
  const beside = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"].map((name) => join(folder, name));
  for (const path of beside) await writePicture(path);
  const chooseFolder = page.getByLabel("Choose a folder").and(page.locator("input"));
  // Nothing is dragged from the desktop of a telephone.
  const isDropped = (page.viewportSize()?.width ?? 0) > 600;
  if (isDropped) await drop(page, [...beside, meadowFolder]);
  else await chooseFolder.setInputFiles(meadowFolder);
  const meadow = page.getByRole("region", { name: isDropped ? "7 files" : "3 files" });
  await expect(meadow.getByText("2 files, imported")).toBeVisible({ timeout: 60_000 });
  if (isDropped) await expect(meadow.getByText("4 files, imported")).toBeVisible();
  await expect(meadow.getByText("refused: neither a video nor a picture")).toBeVisible();
  await meadow.getByRole("button", { name: "Dismiss" }).click();
  await expect(meadow).toHaveCount(0);
  if (isDropped) {
    const orchardFolder = join(folder, "Orchard");
    await mkdir(orchardFolder);
    for (const name of ["1.jpg", "2.jpg"]) await writePicture(join(orchardFolder, name));
    await chooseFolder.setInputFiles(orchardFolder);
    const orchard = page.getByRole("region", { name: "2 files" });
    await expect(orchard.getByText("2 files, imported")).toBeVisible({ timeout: 60_000 });
  }
  await page.getByRole("link", { name: "Large.jpg" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New photo set");
});

test("small files become a draft on the page while a larger file is uploading", async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), "peony-upload-"));
  await writePicture(join(folder, "Long.jpg"), 40 * 1024 ** 2);
  const early = join(folder, "Early");
  await mkdir(early);
  for (const name of ["1.jpg", "2.jpg"]) await writePicture(join(early, name));
  await writeFile(join(early, "notes.pdf"), `%PDF-1.4 ${"x".repeat(2_000)}`);
  await signInAsNewStaff(page, "editor", "/studio/upload");
  await untilScriptsRun(page);
  await throttle(page, SLOW_BYTES_PER_SECOND / 10);
  const choose = page.getByLabel("Choose files", { exact: true }).and(page.locator("input"));
  await choose.setInputFiles(join(folder, "Long.jpg"));
  await expect(page.getByText(/^\d(?:\.\d)? MB of 42 MB\./)).toBeVisible();
  await page.getByLabel("Choose a folder").and(page.locator("input")).setInputFiles(early);
  const arrived = page.getByRole("region", { name: "3 files" });
  await expect(arrived.getByText("2 files, imported")).toBeVisible({ timeout: 40_000 });
  await expect(arrived.getByText("refused: neither a video nor a picture")).toBeVisible();
  await expect(page.getByText(/^[1-3]?\d(?:\.\d)? MB of 42 MB\./)).toBeVisible();
});

test("an upload waits for a sign-in in another tab, and continues", async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), "peony-upload-"));
  await writePicture(join(folder, "Late.jpg"), 12 * 1024 ** 2);
  const email = await signInAsNewStaff(page, "editor", "/studio/upload");
  await untilScriptsRun(page);
  await throttle(page, SLOW_BYTES_PER_SECOND / 3);
  const choose = page.getByLabel("Choose files", { exact: true }).and(page.locator("input"));
  await choose.setInputFiles(join(folder, "Late.jpg"));
  await expect(page.getByText(/^\d(?:\.\d)? MB of 13 MB\./)).toBeVisible();
  await withDatabase(
    (sql) => sql`UPDATE sessions SET revoked_at = now()
      WHERE user_id = (SELECT id FROM users WHERE email = ${email})`,
  );
  await expect(page.getByRole("link", { name: "Sign in in another tab" })).toBeVisible({ timeout: 30_000 });
  const tab = await page.context().newPage();
  await signIn(tab, email, "/studio");
  await tab.close();
  await expect(page.getByRole("link", { name: "Late.jpg" })).toBeVisible({ timeout: 60_000 });
});

test("a file that changes during the upload fails with a sentence, and choosing it again sends it whole", async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "peony-upload-"));
  const path = join(folder, "Changed.jpg");
  await writePicture(path, 12 * 1024 ** 2);
  await signInAsNewStaff(page, "editor", "/studio/upload");
  await untilScriptsRun(page);
  await throttle(page, SLOW_BYTES_PER_SECOND / 3);
  const choose = page.getByLabel("Choose files", { exact: true }).and(page.locator("input"));
  await choose.setInputFiles(path);
  await expect(page.getByText(/^\d(?:\.\d)? MB of 13 MB\./)).toBeVisible();
  await writePicture(path, 12 * 1024 ** 2 + 5);
  const sentence = page.getByText("This file can no longer be read. Choose it again.");
  await expect(sentence).toBeVisible({ timeout: 60_000 });
  await throttle(page, -1);
  await page.getByRole("button", { name: "Remove Changed.jpg" }).click();
  await expect(sentence).toHaveCount(0);
  await choose.setInputFiles(path);
  await expect(page.getByRole("link", { name: "Changed.jpg" })).toBeVisible({ timeout: 60_000 });
});

test("a thousand files with names of hundreds of bytes are announced, and names that are too long are refused with a sentence", async ({
  page,
}) => {
  const root = await mkdtemp(join(tmpdir(), "peony-upload-"));
  const folderOf = async (letters: number, files: number) => {
    const folder = join(root, "花".repeat(letters));
    await mkdir(folder);
    const name = (index: number) => `${"鳥".repeat(60)}${index}.jpg`;
    for (let index = 0; index < files; index += 1)
      await writeFile(join(folder, name(index)), `no picture ${index}`);
    return folder;
  };
  const [short, long] = [await folderOf(10, 1_000), await folderOf(80, 1_000)];
  await signInAsNewStaff(page, "editor", "/studio/upload");
  await untilScriptsRun(page);
  const chooseFolder = page.getByLabel("Choose a folder").and(page.locator("input"));
  await chooseFolder.setInputFiles(long);
  await expect(
    page.getByRole("alert").getByText(/^The names of these files and folders are too long/),
  ).toBeVisible();
  await chooseFolder.setInputFiles(short);
  await expect(page.getByRole("region", { name: "1,000 files" })).toBeVisible({ timeout: 60_000 });
});
