import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import type { DemoCatalogue } from "#demo/seed/read-catalogue.server.ts";

/** The demo's people have seen or kept these, so it does not load without them. */
const NEEDED = [
  ...["nine-days-in-may", "tide-tables", "under-the-skin-of-water", "two-lamps", "slow-undoing"],
  ...["second-skin", "morning-glass", "the-red-hour", "lights-out", "slow-bloom"],
];
const CATALOGUE = "demo/catalogue";
/** Other names in the checkout are its own settings and data. */
const LINKED = [
  ...["app", "build", "db", "drizzle", "node_modules", "public"],
  ...["btcpay", "ccbill", "draw", "seed", "stand-in", "stripe"].map((name) => `demo/${name}`),
  ...["package-lock.json", "package.json", "remix.config.js", "scripts", "tsconfig.json"],
  ...["vite.config.ts", "vite.scripts.config.ts"],
];

/** A folder in which this checkout starts, with a short catalogue. */
export async function makeShortDemo(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "peony-short-demo-"));
  await mkdir(join(folder, CATALOGUE), { recursive: true });
  const entries = (await readdir(CATALOGUE)).map((name) => join(CATALOGUE, name));
  for (const path of [...LINKED, ...entries]) await symlink(resolve(path), join(folder, path));
  await shortenCatalogue(folder);
  return folder;
}

/** Leaves a quarter of a project's demo, because loading it takes most of the processor time of a first start. */
async function shortenCatalogue(project: string): Promise<void> {
  const file = join(project, CATALOGUE, "catalogue.yaml");
  const whole = parse(await readFile(file, "utf8")) as DemoCatalogue;
  const isNeeded = ({ key }: { key: string }) => NEEDED.includes(key);
  const [videos, photoSets] = [whole.videos.filter(isNeeded), whole.photoSets.filter(isNeeded)];
  // The file may be a link to that of the checkout.
  await rm(file);
  await writeFile(file, stringify({ ...whole, videos, photoSets }));
}
