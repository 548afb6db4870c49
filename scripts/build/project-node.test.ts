import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";

const PROJECT_NODE = resolve("scripts/build/project-node.mjs");
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

test("a command continues once on the project's Node.js, says so in one line, and ends with its status", async () => {
  const folder = newCheckout({ engines: ">=24", packaged: "24.99.0" });
  const command = start(folder, "console.log(process.execPath, ...process.argv.slice(2)); process.exit(7);");
  const [output, errors] = await Promise.all([text(command.stdout), text(command.stderr)]);
  expect(output).toBe(`${packagedNode(folder)} one two\n`);
  expect(errors).toBe(`This machine has Node.js ${process.versions.node}; Peony uses its own 24.99.0.\n`);
  expect(await statusOf(command)).toBe(7);
});

test("SIGTERM reaches the command on the project's Node.js", async () => {
  const waiting = `process.on("SIGTERM", () => process.exit(5)); console.log("ready"); setInterval(() => {}, 1_000);`;
  const command = start(newCheckout({ engines: ">=24", packaged: process.versions.node }), waiting);
  await once(command.stdout, "data");
  command.kill("SIGTERM");
  expect(await statusOf(command)).toBe(5);
});

test("without a package for the platform, a new enough Node.js runs the command itself", async () => {
  const command = start(newCheckout({ engines: ">=20" }), "console.log(process.execPath);");
  expect(await text(command.stdout)).toBe(`${process.execPath}\n`);
});

test("without a package for the platform, an older Node.js is refused in one line that names the cure", async () => {
  const command = start(newCheckout({ engines: ">=99" }), "console.log('started');");
  const [output, errors] = await Promise.all([text(command.stdout), text(command.stderr)]);
  expect(output).toBe("");
  expect(errors).toMatch(
    /^Peony runs on Node\.js >=99; this is [\d.]+\. On Linux .*npm install adds it\.\n$/,
  );
  expect(await statusOf(command)).toBe(1);
});

/** A folder with the parts of a checkout that decide which Node.js runs. `packaged` is the version that its package names. */
function newCheckout({ engines, packaged }: { engines: string; packaged?: string }): string {
  const folder = mkdtempSync(join(tmpdir(), "peony-node-"));
  folders.push(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ engines: { node: engines } }));
  if (packaged === undefined) return folder;
  mkdirSync(join(packagedNode(folder), ".."), { recursive: true });
  // A link would be resolved to the binary that runs already, so nothing would take over.
  copyFileSync(process.execPath, packagedNode(folder), constants.COPYFILE_FICLONE);
  writeFileSync(join(packagedNode(folder), "../../package.json"), JSON.stringify({ version: packaged }));
  return folder;
}

function packagedNode(folder: string): string {
  return join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
}

function start(folder: string, source: string) {
  writeFileSync(
    join(folder, "command.mjs"),
    `import { announceProjectNode, continueOnProjectNode } from ${JSON.stringify(PROJECT_NODE)};
     announceProjectNode();
     await continueOnProjectNode();
     ${source}`,
  );
  return spawn(process.execPath, ["command.mjs", "one", "two"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function statusOf(command: ChildProcess): Promise<number | null> {
  if (command.exitCode === null) await once(command, "exit");
  return command.exitCode;
}
