import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCreator, createVideo } from "./support/media.ts";
import { adultCookie } from "./support/people.ts";
import { type Site, startSite } from "./support/site.ts";

/** What a list may make a browser load before it is whole: bytes as they go over the line, compressed. */
const BUDGETS = { js: 130_000, css: 25_000 };
const LIST = "/content/video";

interface Asset {
  path: string;
  bytes: number;
}

let site: Site;
let cookie: string;
beforeAll(async () => {
  const creator = await createCreator();
  await createVideo({ creators: [creator.id] });
  cookie = await adultCookie();
  site = await startSite();
});
afterAll(() => site.stop());

test("a signed-out list loads no more script and style than its budget", async () => {
  const page = await site.fetch(LIST, { headers: { cookie } });
  expect(page.status).toBe(200);
  const loaded = await loadAll(assetsIn(await page.text()));
  for (const [kind, budget] of Object.entries(BUDGETS)) {
    const files = loaded.filter(({ path }) => path.endsWith(`.${kind}`));
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    console.info(`${LIST}: ${total} bytes of ${kind} in ${files.length} files, of ${budget}`);
    expect(files.length, kind).toBeGreaterThan(0);
    expect(total, table(files, total)).toBeLessThanOrEqual(budget);
  }
});

/** The named files and whatever they import in turn. */
async function loadAll(paths: string[]): Promise<Asset[]> {
  const loaded = new Map<string, Asset>();
  for (const queue = [...new Set(paths)]; ; ) {
    const path = queue.shift();
    if (path === undefined) return [...loaded.values()];
    if (loaded.has(path)) continue;
    loaded.set(path, { path, bytes: await bytesOnTheLine(path) });
    if (!path.endsWith(".js")) continue;
    const source = await (await site.fetch(path)).text();
    for (const [, name = ""] of source.matchAll(/(?:from|import)\s*"(\.\/[^"]+\.js)"/g))
      queue.push(new URL(name, `http://localhost${path}`).pathname);
  }
}

/** Loaded by a tag or by the script that starts the page; other routes' files are named in its data and stay away. */
function assetsIn(html: string): string[] {
  const pattern = /(?:href="|src="|\bimport\s*[^"';]*")(\/assets\/[\w.$~-]+\.(?:js|css))"/g;
  return [...html.matchAll(pattern)].map(([, path = ""]) => path);
}

/** Not fetch(), which unpacks what it counts. */
function bytesOnTheLine(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "accept-encoding": "gzip, deflate, br", cookie };
    const asked = request(new URL(path, site.origin), { headers }, async (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`${path}: ${answer.statusCode}`));
      let bytes = 0;
      for await (const chunk of answer) bytes += (chunk as Buffer).length;
      resolve(bytes);
    });
    asked.on("error", reject).end();
  });
}

function table(files: Asset[], total: number): string {
  const rows = files.toSorted((a, b) => b.bytes - a.bytes);
  return ["", ...rows, { path: "in all", bytes: total }]
    .map((row) => (typeof row === "string" ? row : `${String(row.bytes).padStart(8)}  ${row.path}`))
    .join("\n");
}
