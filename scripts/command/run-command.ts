import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { explain } from "./explain.ts";

/** The arguments are wrong; the message is the whole answer. */
export class UsageError extends Error {}

/**
 * Runs a command of the host and ends the process: with the code that it resolves with, with 1 and one line for a
 * failure, and with 2 for a UsageError. `run` imports what reads the settings, so that a wrong one is one line, too.
 */
export async function runCommand(run: () => Promise<number>, failed = ""): Promise<never> {
  // process.exitCode is not enough: open connections would keep the process running.
  process.exit(await codeOf(run, failed));
}

async function codeOf(run: () => Promise<number>, failed: string): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const isUsage = error instanceof UsageError;
    console.error(isUsage ? error.message : failed + explain(error));
    return isUsage ? 2 : 1;
  }
}

/** Whether the flag is given, which is the only argument of the command. Throws a UsageError. */
export function readFlag(flag: string, usage: string): boolean {
  const given = process.argv.slice(2);
  if (given.some((argument) => argument !== flag)) throw new UsageError(usage);
  return given.length > 0;
}

/** The options of the command and its other arguments. Throws a UsageError. */
export function readOptions<Options extends NonNullable<ParseArgsConfig["options"]>>(
  usage: string,
  options: Options,
) {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`);
  }
}

/** The path of the readable file that is the only argument of the command. Throws a UsageError. */
export function readFileArgument(usage: string): string {
  const [file, ...rest] = process.argv.slice(2);
  if (file === undefined || file.startsWith("-") || rest.length > 0) throw new UsageError(usage);
  const path = resolve(file);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`There is no file ${path}`);
  if (!isPermitted(path, constants.R_OK)) {
    throw new UsageError(`This user may not read ${path}: run the command as its owner.`);
  }
  return path;
}

export function isPermitted(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
