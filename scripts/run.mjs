// Runs a built script: node scripts/run.mjs <name> [arguments]. The image has no sources to build.
import { existsSync } from "node:fs";

if (existsSync(new URL("build", import.meta.url))) {
  const { prepareCommand } = await import("./build/prepare.mjs");
  const { continueOnProjectNode } = await import("./build/project-node.mjs");
  await prepareCommand();
  await continueOnProjectNode();
}
// A command goes on when its reader has left, as in "| head", so that it stops the database that it started.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
  });
}
const [name] = process.argv.splice(2, 1);
await import(`../build/scripts/${name}.js`);
