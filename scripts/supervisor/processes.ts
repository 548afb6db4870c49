import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { RestartDelay } from "./restart-delay.ts";

const STOP_WITHIN_MS = 12_000;

export interface Program {
  name: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** Keeps programs running until stop(): a program that exits is restarted, with growing delays. */
export class ProcessGroup {
  #children = new Map<string, ChildProcess>();
  #isStopping = false;

  keepRunning(program: Program, restartDelay = new RestartDelay()): void {
    const startedAt = Date.now();
    // No messages are sent over the channel: its closing tells a program that this process was killed.
    const options: SpawnOptions = { stdio: ["ignore", "pipe", "pipe", "ipc"], env: program.env };
    const child = spawn(process.execPath, program.args, options);
    this.#children.set(program.name, child);
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", print);
    }
    child.once("exit", (code) => {
      this.#children.delete(program.name);
      if (this.#isStopping) return;
      const delayMs = restartDelay.after(Date.now() - startedAt);
      console.error(`${program.name} ended (${code ?? "killed"}); starting it again in ${delayMs} ms`);
      setTimeout(() => !this.#isStopping && this.keepRunning(program, restartDelay), delayMs);
    });
  }

  /** Runs a program until it exits or the group stops. Resolves to whether it succeeded. */
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

  /** Resolves when every program has ended; programs that exceed the time limit are killed. */
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

/** The web processes report their address in the words of remix-serve, which is not the public address. */
function print(line: string): void {
  if (!line.startsWith("[remix-serve] ")) console.log(line);
}
