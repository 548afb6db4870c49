import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { openOutput } from "#app/log.server.ts";
import { BLOCKED_AFTER_SECONDS, endWhenBlocked } from "./blocked-processes.ts";
import { RestartDelay } from "./restart-delay.ts";

const STOP_WITHIN_MS = 12_000;

export interface Program {
  name: string;
  command?: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  stopSignal?: NodeJS.Signals;
  print?: (line: string) => void;
  blockedAfterSeconds?: number;
}

/** Restarts a program that exits, with growing delays. */
export class ProcessGroup {
  #children = new Map<string, { child: ChildProcess; stopSignal: NodeJS.Signals }>();
  #isStopping = false;
  #hasRestarted = false;

  keepRunning(program: Program, restartDelay = new RestartDelay()): void {
    const startedAt = Date.now();
    // The channel carries beats, and its closing tells a program that this process was killed.
    const options: SpawnOptions = {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: program.env,
      detached: program.command !== undefined,
    };
    const ended = (how: string) => {
      if (this.#isStopping) return;
      this.#hasRestarted = true;
      const delayMs = restartDelay.after(Date.now() - startedAt);
      console.error(`${program.name} ended (${how}); starting it again in ${delayMs} ms`);
      setTimeout(() => !this.#isStopping && this.keepRunning(program, restartDelay), delayMs);
    };
    let child: ChildProcess;
    try {
      child = spawn(program.command ?? process.execPath, program.args, options);
    } catch (error) {
      ended((error as Error).message);
      return;
    }
    // A program that could not be spawned never exits, and stop() would wait for it.
    child.on("error", (error) => child.pid === undefined && ended(error.message));
    if (child.pid === undefined) return;
    endWhenBlocked(child, program.name, program.blockedAfterSeconds ?? BLOCKED_AFTER_SECONDS);
    this.#children.set(program.name, { child, stopSignal: program.stopSignal ?? "SIGTERM" });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", program.print ?? print);
    }
    child.once("exit", (code) => {
      this.#children.delete(program.name);
      if (program.command !== undefined) endGroup(child.pid);
      ended(String(code ?? "killed"));
    });
  }

  /** Resolves to whether it succeeded. */
  async run(program: Program): Promise<boolean> {
    const child = spawn(process.execPath, program.args, {
      stdio: ["ignore", "inherit", "inherit"],
      env: program.env,
    });
    if (child.pid !== undefined) this.#children.set(program.name, { child, stopSignal: "SIGTERM" });
    const [code] = await once(child, "exit");
    this.#children.delete(program.name);
    return code === 0;
  }

  signal(name: NodeJS.Signals): void {
    for (const { child } of this.#children.values()) child.kill(name);
  }

  /** Whether a program has ended by itself. */
  get hasRestarted(): boolean {
    return this.#hasRestarted;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const children = [...this.#children.values()];
    const endings = children.map(
      ({ child }) => new Promise<void>((resolve) => child.once("exit", () => resolve())),
    );
    for (const { child, stopSignal } of children) child.kill(stopSignal);
    const killer = setTimeout(() => {
      for (const { child } of children) child.kill("SIGKILL");
    }, STOP_WITHIN_MS);
    await Promise.all(endings);
    clearTimeout(killer);
  }
}

/** A killed program may leave processes of its own, which hold its port. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // None is left.
  }
}

/** remix-serve reports its own address, which is not the public one. */
function print(line: string): void {
  if (!line.startsWith("[remix-serve] ")) printText(`${line}\n`);
}

const MAX_WAITING_BYTES = 4_000_000;

const output = openOutput({ isWaiting: false, maxLength: MAX_WAITING_BYTES });
output.on("error", () => {});

/** If nobody reads the output, the text is lost, and the site keeps running. */
export function printText(text: string): void {
  output.write(text);
}
