import { readdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ownSite } from "./sites.ts";

/** Ends the web processes of this test's site as a crash does; the supervisor starts them again. */
export async function crashWeb(): Promise<void> {
  const mine = resolve(ownSite().dataDir);
  let ended = 0;
  for (const id of await readdir("/proc")) {
    if (!/^\d+$/.test(id)) continue;
    const read = (name: string) => readFile(`/proc/${id}/${name}`, "utf8").catch(() => "");
    const [command, environment] = await Promise.all([read("cmdline"), read("environ")]);
    const dataDir = environment.split("\0").find((entry) => entry.startsWith("DATA_DIR="));
    if (!command.includes("build/scripts/web.js") || dataDir === undefined) continue;
    if (resolve(dataDir.slice("DATA_DIR=".length)) !== mine) continue;
    process.kill(Number(id), "SIGKILL");
    ended += 1;
  }
  if (ended === 0) throw new Error("No web process of this site was found");
}
