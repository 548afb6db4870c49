import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startEmbedded } from "#db/server/embedded.ts";
import { HOST_SETTINGS, startHostedSite } from "#tests/support/upgrade/hosted-site.ts";
import { runScript } from "../support/process/built-script.ts";

/** Fills a site of the present build and backs it up: tests/upgrade/fixtures/README.md. */
const [, , path] = process.argv;
if (path === undefined) throw new Error("Usage: tsx tests/upgrade/make-filled-site.ts <backup.tar>");
const dataDir = await mkdtemp(join(tmpdir(), "peony-filled-"));
const site = await startHostedSite(dataDir);
try {
  const { url } = await startEmbedded(dataDir);
  // These come before the imports that read them.
  Object.assign(process.env, HOST_SETTINGS, { DATABASE_URL: url, DATA_DIR: dataDir });
  const { fillSite } = await import("../support/upgrade/fill-site.ts");
  await fillSite(site);
  const { stdout, stderr } = await runScript("backup", [resolve(path), "--media"], HOST_SETTINGS);
  console.log(`${stdout}${stderr}`.trim());
} finally {
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
