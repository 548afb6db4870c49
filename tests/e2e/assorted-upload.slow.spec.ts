import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { withDatabase } from "../support/browser/database.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { signInAsNewStaff } from "../support/browser/studio.ts";
import { writePicture } from "../support/browser/write-picture.ts";

const MINUTE_MS = 60_000;
const SECONDS = 6;
const PATTERN = ["-f", "lavfi", "-i", `testsrc2=s=854x480:r=25:d=${SECONDS}`];
const TONE = ["-f", "lavfi", "-i", `sine=f=440:d=${SECONDS}`];
const VIDEOS: Record<string, string> = {
  "HEVC of a camera.mp4": "-c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p",
  "VP9 of a browser.webm": "-c:v libvpx-vp9 -deadline realtime -pix_fmt yuv420p -c:a libopus",
};
const SIZES = [360, 480];
const BESIDE_PHOTOS = "Behind the camera.mp4";

test("assorted files that are chosen in the browser become drafts with covers and all sizes, and a video plays", async ({
  page,
}) => {
  test.setTimeout(10 * MINUTE_MS);
  const folder = await mkdtemp(join(tmpdir(), "peony-assorted-"));
  for (const [name, codec] of Object.entries(VIDEOS)) makeVideo(join(folder, name), codec);
  const shoot = join(folder, "Evening shoot");
  await mkdir(shoot);
  for (const name of ["1.jpg", "2.jpg", "3.jpg"]) await writePicture(join(shoot, name));
  makeVideo(join(shoot, BESIDE_PHOTOS), "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac");
  await writeFile(join(folder, "notes.txt"), "Bring the tripod.");

  await signInAsNewStaff(page, "publisher", "/studio/upload");
  await untilScriptsRun(page);
  const names = [...Object.keys(VIDEOS), "notes.txt"];
  const choose = page.getByLabel("Choose files", { exact: true }).and(page.locator("input"));
  await choose.setInputFiles(names.map((name) => join(folder, name)));
  await page.getByLabel("Choose a folder").and(page.locator("input")).setInputFiles(shoot);
  for (const name of Object.keys(VIDEOS))
    await expect(page.getByRole("link", { name })).toBeVisible({ timeout: 3 * MINUTE_MS });
  await expect(page.getByText("3 files, imported")).toBeVisible({ timeout: MINUTE_MS });
  await expect(page.getByText(/refused: neither a video nor a picture/)).toBeVisible();

  const set = await withDatabase(
    (sql) => sql`
      SELECT status, EXISTS (SELECT FROM media_files f WHERE f.media_id = m.id AND f.name LIKE 'cover-%') AS "hasCover"
      FROM media m WHERE title = 'Evening shoot' AND type = 'photoSet'`,
  );
  expect(set).toEqual([{ status: "draft", hasCover: true }]);
  for (const name of [...Object.keys(VIDEOS), BESIDE_PHOTOS]) {
    await expect
      .poll(() => stateOf(name), { timeout: 5 * MINUTE_MS, message: name })
      .toEqual({
        status: "draft",
        steps: ["done"],
        sizes: SIZES,
        hasCover: true,
      });
  }
  await page.getByRole("link", { name: "VP9 of a browser.webm" }).click();
  const cover = page.locator("main img").first();
  await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const asVisitor = await page.getByRole("link", { name: "visitor", exact: true }).getAttribute("href");
  const [address = ""] = asVisitor?.split("?") ?? [];
  // Other tests count the public videos.
  await page.goto(`${address}?as=subscriber`);
  await expectToPlay(page);
  await rm(folder, { recursive: true });
});

function makeVideo(path: string, codec: string): void {
  const args = ["-v", "error", ...PATTERN, ...TONE, ...codec.split(" "), path];
  execFileSync(process.env.FFMPEG_PATH ?? "ffmpeg", args);
}

async function stateOf(fileName: string) {
  const [found] = await withDatabase(
    (sql) => sql`
      SELECT m.status, array(SELECT DISTINCT state FROM media_work w WHERE w.media_id = m.id) AS steps,
        array(SELECT height FROM media_files f WHERE f.media_id = m.id AND f.name LIKE 'rung-%.mp4' ORDER BY height) AS sizes,
        EXISTS (SELECT FROM media_files f WHERE f.media_id = m.id AND f.name LIKE 'cover-%') AS "hasCover"
      FROM media m JOIN media_originals o ON o.media_id = m.id AND o.file_name = ${fileName}`,
  );
  return found;
}

async function expectToPlay(page: Page): Promise<void> {
  await untilScriptsRun(page);
  const video = page.locator("video");
  await expect.poll(() => video.evaluate((player: HTMLVideoElement) => player.src)).toMatch(/^blob:/);
  await video.evaluate((player: HTMLVideoElement) => {
    player.muted = true;
    return player.play();
  });
  await expect
    .poll(() => video.evaluate((player: HTMLVideoElement) => player.currentTime))
    .toBeGreaterThan(1);
}
