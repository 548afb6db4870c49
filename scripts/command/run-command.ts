import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { explain } from "./explain.ts";

interface Command {
  name: string;
  takes?: string;
  does?: string;
  failed?: string;
}

/** Without a message, the command prints its usage. */
export class UsageError extends Error {}

/**
 * Runs a command and ends the process: with its own code, with 1 and one line for a failure, with 2 and one
 * line for a UsageError. `run` imports what reads the settings, so that a wrong setting becomes one line, too.
 */
export async function runCommand(command: Command, run: () => Promise<number>): Promise<never> {
  // process.exitCode is not enough: open connections would keep the process running.
  process.exit(await codeOf(command, run));
}

async function codeOf({ name, takes, does, failed = "" }: Command, run: () => Promise<number>) {
  const usage = ["Usage: npm run", name, takes].filter(Boolean).join(" ");
  if (process.argv.includes("--help")) {
    console.log(does === undefined ? usage : `${usage}\n\n${does}`);
    return 0;
  }
  try {
    return await run();
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const wrong = isUsage && error.message ? `${error.message} See npm run ${name} -- --help.` : usage;
    console.error(isUsage ? wrong : failed + explain(error));
    return isUsage ? 2 : 1;
  }
}

/** For a command with one flag as its only argument. Throws a UsageError. */
export function readFlag(flag: string): boolean {
  const given = process.argv.slice(2);
  if (given.some((argument) => argument !== flag)) throw new UsageError();
  return given.length > 0;
}

/** Throws a UsageError. */
export function readOptions<Options extends NonNullable<ParseArgsConfig["options"]>>(options: Options) {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    const [said] = (error as Error).message.split(/\.(?:\s|$)|\n/, 1);
    throw new UsageError(`${said}.`);
  }
}

/** For a command with a readable file as its only argument. Throws a UsageError. */
export function readFileArgument(): string {
  const [file, ...rest] = process.argv.slice(2);
  if (file === undefined || file.startsWith("-") || rest.length > 0) throw new UsageError();
  const path = resolve(file);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`There is no file ${path}.`);
  if (!isPermitted(path, constants.R_OK)) {
    throw new UsageError(`This user cannot read ${path}: run the command as its owner.`);
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
