import { accessSync, constants, existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { contentsOf } from "#app/domain/backup/archive-format.ts";
import { explain } from "./command/explain.ts";
import { progressBar } from "./command/progress-bar.ts";
import { withDatabase } from "./command/with-database.ts";

const USAGE = "Usage: npm run backup -- <file> [--media]";

// process.exitCode is not enough: open connections would keep the process running.
process.exit(await main());

async function main(): Promise<number> {
  const args = readArguments();
  if (typeof args === "string") {
    console.error(args);
    return 2;
  }
  try {
    return await withDatabase((url) => run(url, args));
  } catch (error) {
    console.error(`Nothing was backed up. ${explain(error)}`);
    return 1;
  }
}

function readArguments() {
  try {
    const options = { media: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [file, ...rest] = positionals;
    if (file === undefined || rest.length > 0) return USAGE;
    const path = resolve(file);
    if (existsSync(path)) return `${path} exists already: choose another name.`;
    if (!existsSync(join(dirname(path), "."))) return `There is no folder ${dirname(path)}`;
    if (!mayWrite(dirname(path)))
      return `This user may not write to ${dirname(path)}: choose another folder.`;
    return { path, hasMedia: values.media };
  } catch (error) {
    return `${(error as Error).message}\n${USAGE}`;
  }
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function run(url: string, { path, hasMedia }: { path: string; hasMedia: boolean }): Promise<number> {
  const { backUp } = await import("#app/domain/backup/back-up.server.ts");
  const bar = progressBar();
  try {
    const end = await backUp(url, path, { hasMedia, onProgress: bar.show });
    bar.close();
    console.log(`${contentsOf(hasMedia, end)} are in ${path}`);
    if (end.missingFiles === 0) return 0;
    console.error(
      `${end.missingFiles} media files are missing or shortened: npm run media:check names them.`,
    );
    return 1;
  } finally {
    bar.close();
  }
}
