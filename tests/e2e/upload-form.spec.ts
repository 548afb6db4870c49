import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { signInAsNewStaff } from "../support/browser/studio.ts";
import { writePicture } from "../support/browser/write-picture.ts";

test("without JavaScript, a form uploads several files", async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), "peony-upload-"));
  const files = ["1.jpg", "2.jpg"].map((name) => join(folder, name));
  for (const file of files) await writePicture(file);
  await signInAsNewStaff(page, "editor", "/studio/upload");
  const field = page.getByLabel("Files", { exact: true });
  const right = (element: Element) => element.getBoundingClientRect().right;
  const end = await page.getByRole("navigation", { name: "Studio" }).evaluate(right);
  expect(await field.evaluate(right)).toBeLessThanOrEqual(end);
  await field.setInputFiles(files);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("2 files uploaded.")).toBeVisible();
  await expect(page.getByText("2 files, imported")).toBeVisible({ timeout: 60_000 });
});

test("without JavaScript, a set continues without its damaged photo", async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), "peony-upload-"));
  const files = ["1.jpg", "2.jpg", "3.jpg"].map((name) => join(folder, name));
  for (const file of files) {
    const bytes = await writePicture(file);
    if (file.endsWith("2.jpg")) await writeFile(file, bytes.subarray(0, 300));
  }
  await signInAsNewStaff(page, "editor", "/studio/upload");
  await page.getByLabel("Files", { exact: true }).setInputFiles(files);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("3 files uploaded.")).toBeVisible();
  const sentence = page.getByText(
    "“Continue without it” leaves out 1 file that cannot be used, and imports the 2 other files.",
  );
  await expect(sentence).toBeVisible({ timeout: 60_000 });
  await page.getByRole("button", { name: "Continue without it" }).click();
  await expect(sentence).toHaveCount(0);
  await expect(page.getByText("2 files, imported")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("heading", { name: "2 files" })).toBeVisible();
});
