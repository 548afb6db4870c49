import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { runScript } from "#tests/support/process/built-script.ts";
import { addFile } from "../support/media-site.ts";

const storage = localStorage(config.media.dir);

test("media:check names each missing, shortened, damaged and unknown file", { timeout: 60_000 }, async () => {
  const files = await Promise.all(
    ["whole", "lost", "short", "damaged"].map((text) => addFile(storage, Buffer.from(text), { slug: text })),
  );
  const [whole = "", lost = "", short = "", damaged = ""] = files.map(({ path }) => path.slice(1));
  expect(await check()).toEqual({ code: 0, lines: ["4 files checked, 0 problems."] });

  await storage.deleteFolder(lost);
  await storage.put(short, Buffer.from("sho"));
  await storage.put(damaged, Buffer.from("dAmaged"));
  const left = whole.replace("video-720", "video-1080");
  await storage.put(left, Buffer.from("left"));
  await storage.put("creators/no-id/1/portrait.webp", Buffer.from("left"));

  const bySize = await check();
  expect(bySize.code).toBe(1);
  expect(bySize.lines.toSorted()).toEqual([
    expect.stringMatching(/^4 files checked, 4 problems\. Restore/),
    `missing         ${lost}`,
    `of another size ${short}`,
    "unknown         creators/no-id/1/portrait.webp",
    `unknown         ${left}`,
  ]);
  const byHash = await check("--hashes");
  expect(byHash.lines).toContain(`damaged         ${damaged}`);
  expect(byHash.lines).toHaveLength(6);
});

test("media:check explains its arguments", async () => {
  expect(await check("--hash")).toMatchObject({ code: 2 });
});

async function check(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const { code, stdout } = await runScript("check-media", args);
  return { code, lines: stdout.trim().split("\n") };
}
