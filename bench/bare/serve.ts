import type { ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "#db/server/embedded.ts";
import { end, start, untilReady } from "../site/programs.ts";
import { type BarePage, contentOf, readPage } from "./tree.ts";

const REMIX_SERVE = "node_modules/@remix-run/serve/dist/cli.js";

export interface BareSite {
  origin: string;
  pid: number;
  pathOf(name: string): string;
  stop(): Promise<void>;
}

/** Serves the same visible content as each of `pages`, which are the HTML of real pages by name. */
export async function serveBare(folder: string, pages: Record<string, string>): Promise<BareSite> {
  const trees = Object.fromEntries(Object.entries(pages).map(([name, html]) => [name, readPage(html)]));
  const file = join(folder, "bare-pages.json");
  await writeFile(file, JSON.stringify(trees));
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const child: ChildProcess = start(["--import", "tsx", REMIX_SERVE, "bench/bare/build.tsx"], {
    NODE_ENV: "production",
    PATH: process.env.PATH,
    HOST: "127.0.0.1",
    PORT: String(port),
    BARE_PAGES: file,
  });
  const site = {
    origin,
    pid: child.pid ?? 0,
    pathOf: (name: string) => `/${encodeURIComponent(name)}`,
    stop: () => end(child),
  };
  try {
    const [first = ""] = Object.keys(trees);
    await untilReady(origin + site.pathOf(first));
    for (const [name, tree] of Object.entries(trees)) await assertSame(origin + site.pathOf(name), tree);
    return site;
  } catch (error) {
    await site.stop();
    throw error;
  }
}

async function assertSame(url: string, page: BarePage): Promise<void> {
  const html = await (await fetch(url)).text();
  if (contentOf(readPage(html).children) !== contentOf(page.children) || page.children.length === 0) {
    throw new Error(`${url} does not show what the page shows`);
  }
}
