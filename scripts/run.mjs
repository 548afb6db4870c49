import { existsSync } from "node:fs";

// Runs a built script: node scripts/run.mjs <name> [arguments]. The container image has no sources to build.
if (existsSync(new URL("build", import.meta.url))) {
  const { prepareCommand } = await import("./build/prepare.mjs");
  await prepareCommand();
}
const [name] = process.argv.splice(2, 1);
await import(`../build/scripts/${name}.js`);
