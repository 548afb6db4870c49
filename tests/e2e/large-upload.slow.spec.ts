import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { withDatabase } from "../support/browser/database.ts";
import { throttle } from "../support/browser/network.ts";
import { crashWeb } from "../support/browser/restart.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { signInAsNewStaff } from "../support/browser/studio.ts";

const BYTES = 320 * 1024 ** 2;
const MARKED_EVERY = 4 * 1024 ** 2;
const BYTES_PER_SECOND = 12e6;
const MINUTE_MS = 60_000;

/** Two seconds of video before a large part that players skip, with marks in it by which a piece out of place is found. */
async function writeLargeVideo(path: string): Promise<string> {
  const input = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=10:d=2"];
  const codec = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-preset", "ultrafast"];
  execFileSync(process.env.FFMPEG_PATH ?? "ffmpeg", ["-v", "error", ...input, ...codec, path]);
  const file = await open(path, "r+");
  const { size } = await file.stat();
  const head = Buffer.alloc(8);
  head.writeUInt32BE(BYTES - size);
  head.write("free", 4);
  await file.write(head, 0, head.length, size);
  await file.truncate(BYTES);
  for (let at = MARKED_EVERY; at < BYTES; at += MARKED_EVERY) await file.write(randomBytes(64), 0, 64, at);
  await file.close();
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(path)) hash.update(bytes);
  return hash.digest("hex");
}

test("a large video over a slow network arrives byte for byte, despite a reload and a crash of the site, and becomes a draft", async ({
  page,
}) => {
  test.setTimeout(6 * MINUTE_MS);
  const folder = await mkdtemp(join(tmpdir(), "peony-upload-"));
  const path = join(folder, "Large.mp4");
  const sha256 = await writeLargeVideo(path);
  await signInAsNewStaff(page, "editor", "/studio/upload");
  await untilScriptsRun(page);
  await throttle(page, BYTES_PER_SECOND);
  const choose = page.getByLabel("Choose files", { exact: true }).and(page.locator("input"));
  await choose.setInputFiles(path);
  await expect(page.getByText(/^(?:[6-9]\d|1\d\d) MB of 336 MB\./)).toBeVisible({ timeout: MINUTE_MS });
  await page.reload();
  await untilScriptsRun(page);
  // Less than was shown before: the site keeps whole pieces.
  await expect(
    page.getByText(/^(?:[3-9]\d|1\d\d) MB of 336 MB\. Choose the same file again to continue\.$/),
  ).toBeVisible();
  await choose.setInputFiles(path);
  await expect(page.getByText(/^2\d\d MB of 336 MB\./)).toBeVisible({ timeout: MINUTE_MS });
  // The page goes on by itself.
  await crashWeb();
  await expect(async () => expect(await page.request.get("/readyz")).toBeOK()).toPass();
  await expect(
    page.getByText("All files are uploaded.").or(page.getByText("Importing the files")),
  ).toBeVisible({
    timeout: 2 * MINUTE_MS,
  });
  await expect(page.getByRole("link", { name: "Large.mp4" })).toBeVisible({ timeout: 2 * MINUTE_MS });
  const stored = await withDatabase(
    (sql) =>
      sql`SELECT sha256, bytes::text FROM media_originals WHERE file_name = 'Large.mp4' AND sha256 = ${sha256}`,
  );
  expect(stored).toEqual([{ sha256, bytes: String(BYTES) }]);
  await rm(folder, { recursive: true });
});
