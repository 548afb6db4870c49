import { spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { stopWith } from "./install.mjs";

const PACKAGE = `node_modules/node-${process.platform}-${process.arch}`;

/**
 * The Node.js in the lock file, so that tests and site run on the image's version. Where its package does not
 * exist, this process's own must be new enough; otherwise the process ends.
 */
export function projectNode() {
  if (existsSync(`${PACKAGE}/bin/node`)) return realpathSync(`${PACKAGE}/bin/node`);
  const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
  const oldest = /\d+/.exec(engines.node)?.[0];
  if (Number.parseInt(process.versions.node, 10) >= Number(oldest)) return process.execPath;
  return stopWith(
    `Peony runs on Node.js ${engines.node}; this is ${process.versions.node}. On Linux with glibc (x64 or arm64), npm install adds it.`,
  );
}

/** Prints a line when another Node.js takes over, which happens only in the first command of a checkout. */
export function announceProjectNode() {
  if (projectNode() === process.execPath) return;
  const { version } = JSON.parse(readFileSync(`${PACKAGE}/package.json`, "utf8"));
  if (version === process.versions.node) return;
  console.error(`This machine has Node.js ${process.versions.node}; Peony uses its own ${version}.`);
}

/** Tools in `node_modules` run on the first "node" in PATH. */
export function projectEnvironment() {
  return { ...process.env, PATH: `${dirname(projectNode())}${delimiter}${process.env.PATH}` };
}

/** Runs this command again on the project's Node.js and ends with its status; returns if it already runs there. */
export async function continueOnProjectNode() {
  if (projectNode() === process.execPath) return;
  const child = spawn(projectNode(), process.argv.slice(1), { stdio: "inherit", env: projectEnvironment() });
  // A terminal sends Ctrl-C to both.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  process.exit(await new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1))));
}
