import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { redactRequestLine } from "./redact.ts";

const FIRST_RESTART_MS = 500;
const LONGEST_RESTART_MS = 30_000;
/** A process that ran this long is healthy, and its next restart is quick again. */
const HEALTHY_AFTER_MS = 60_000;
const STOP_WITHIN_MS = 12_000;

export interface Program {
  name: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** Keeps programs running until stop(): what dies is started again, more slowly each time. */
export class ProcessGroup {
  #children = new Map<string, ChildProcess>();
  #isStopping = false;

  keepRunning(program: Program, delayMs = FIRST_RESTART_MS): void {
    const startedAt = Date.now();
    // The channel says nothing: a program ends when it closes, for then this process was killed.
    const options: SpawnOptions = { stdio: ["ignore", "pipe", "pipe", "ipc"], env: program.env };
    const child = spawn(process.execPath, program.args, options);
    this.#children.set(program.name, child);
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", (line) => print(redactRequestLine(line)));
    }
    child.once("exit", (code) => {
      this.#children.delete(program.name);
      if (this.#isStopping) return;
      const nextDelay =
        Date.now() - startedAt > HEALTHY_AFTER_MS
          ? FIRST_RESTART_MS
          : Math.min(delayMs * 2, LONGEST_RESTART_MS);
      console.error(`${program.name} ended (${code ?? "killed"}); starting it again in ${delayMs} ms`);
      setTimeout(() => !this.#isStopping && this.keepRunning(program, nextDelay), delayMs);
    });
  }

  /** Runs a program to its end, which is the end of the group if that comes first. Resolves to whether it succeeded. */
  async run(program: Program): Promise<boolean> {
    const child = spawn(process.execPath, program.args, {
      stdio: ["ignore", "inherit", "inherit"],
      env: program.env,
    });
    this.#children.set(program.name, child);
    const [code] = await once(child, "exit");
    this.#children.delete(program.name);
    return code === 0;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Resolves when every program has ended; those that do not end in time are killed. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const children = [...this.#children.values()];
    const endings = children.map(
      (child) => new Promise<void>((resolve) => child.once("exit", () => resolve())),
    );
    for (const child of children) child.kill("SIGTERM");
    const killer = setTimeout(() => {
      for (const child of children) child.kill("SIGKILL");
    }, STOP_WITHIN_MS);
    await Promise.all(endings);
    clearTimeout(killer);
  }
}

function print(line: string | null): void {
  if (line !== null) console.log(line);
}
