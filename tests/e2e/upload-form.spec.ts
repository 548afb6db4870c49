import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { signInAsNewStaff } from "../support/browser/studio.ts";
import { writePicture } from "../support/browser/write-picture.ts";

test("without JavaScript, a form brings several files", async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), "peony-upload-"));
  const files = ["1.jpg", "2.jpg"].map((name) => join(folder, name));
  for (const file of files) await writePicture(file);
  await signInAsNewStaff(page, "editor", "/studio/upload");
  await page.getByLabel("Files", { exact: true }).setInputFiles(files);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("2 files arrived.")).toBeVisible();
  await expect(page.getByText("2 files, taken in")).toBeVisible({ timeout: 60_000 });
});
