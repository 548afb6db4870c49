// Needed because a fault in a codec would end every visitor's request: decisions 096 and 183.
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { buffer, text } from "node:stream/consumers";
import { promisify } from "node:util";

const FLAGS = ["--max-old-space-size=64"];
/** Contains no secrets. Freed memory returns to the system at once. */
const ENVIRONMENT = { NODE_ENV: "production" as const, UV_THREADPOOL_SIZE: "1", MALLOC_ARENA_MAX: "2" };
const READ_STATUS = `require("node:fs").readFileSync("/proc/self/status", "utf8")`;
const MEASURED_WITHIN_MS = 10_000;
/** Node 24 starts with 562 MB, most of it reserved for compiled code. */
const IDLE_KB_UNMEASURED = 600 * 1024;
/** Makes the kernel's OOM killer choose this process before the database and the site. */
export const OOM_KILLED_FIRST = `{ echo 1000 > "/proc/$$/oom_score_adj"; } 2>/dev/null`;

export interface Limits {
  /** On top of what Node reserves for itself. */
  memoryKb: number;
  cpuSeconds: number;
  timeoutMs: number;
}

interface ProgramResult {
  exitCode: number | null;
  stdout: Buffer;
  stderr: string;
}

let idleKb: number | null = null;

export async function runLimited(
  program: string[],
  input: Uint8Array,
  limits: Limits,
): Promise<ProgramResult> {
  return runCommand(nodeCommand(program), input, { ...limits, memoryKb: await memoryOfNode(limits) });
}

export async function startLimited(
  program: string[],
  limits: Omit<Limits, "timeoutMs">,
): Promise<ChildProcessWithoutNullStreams> {
  return start(nodeCommand(program), { ...limits, memoryKb: await memoryOfNode(limits) });
}

function nodeCommand(program: string[]): string[] {
  return [process.execPath, ...FLAGS, ...program];
}

async function memoryOfNode({ memoryKb }: Pick<Limits, "memoryKb">): Promise<number> {
  idleKb ??= await measureIdleKb();
  return (idleKb ?? IDLE_KB_UNMEASURED) + memoryKb;
}

function start(
  command: string[],
  { timeoutMs, ...limits }: Omit<Limits, "timeoutMs"> & { timeoutMs?: number },
): ChildProcessWithoutNullStreams {
  return spawn(...limitedCommand(command, limits), {
    env: ENVIRONMENT,
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
}

export async function runCommand(
  command: string[],
  input: Uint8Array,
  limits: Limits,
): Promise<ProgramResult> {
  const child = start(command, limits);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  // The program may exit before it has read all input.
  child.stdin.on("error", () => {}).end(input);
  const [stdout, stderr, exitCode] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]);
  return { exitCode, stdout, stderr };
}

/** The shell limits itself and then becomes the program, because Node cannot limit a child. */
export function limitedCommand(
  command: string[],
  { memoryKb, cpuSeconds }: { memoryKb: number; cpuSeconds?: number },
): [command: string, args: string[]] {
  const limits = [`ulimit -d ${memoryKb}`, ...(cpuSeconds === undefined ? [] : [`ulimit -t ${cpuSeconds}`])];
  return ["/bin/sh", ["-c", [OOM_KILLED_FIRST, ...limits, 'exec "$@"'].join("; "), "sh", ...command]];
}

/** Measured, because it differs between machines and releases of Node. Null without /proc. */
async function measureIdleKb(): Promise<number | null> {
  const options = { env: ENVIRONMENT, timeout: MEASURED_WITHIN_MS, killSignal: "SIGKILL" as const };
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...FLAGS, "--print", READ_STATUS],
      options,
    );
    const measured = /^VmData:\s+(\d+) kB/m.exec(stdout);
    return measured ? Number(measured[1]) : null;
  } catch {
    return null;
  }
}
