import { afterAll } from "vitest";
import { type Engine, startEngine } from "./engine.ts";

/** For this file's process and the sites that it starts. Before any module reads the configuration. */
export async function startStore(): Promise<Engine> {
  const engine = await startEngine();
  afterAll(() => engine.stop());
  Object.assign(process.env, await engine.bucket());
  return engine;
}

/** Of the store in use, for the environment of a site; none for a folder. */
export function storeSettings(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name === "STORAGE" || name.startsWith("S3_")),
  ) as Record<string, string>;
}
