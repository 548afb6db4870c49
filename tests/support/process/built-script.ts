import { buildWhenStale } from "#scripts/build/build-state.mjs";

/** The path of a script as a host runs it; builds when the sources have changed. */
export async function builtScript(name: string): Promise<string> {
  await buildWhenStale();
  return `build/scripts/${name}.js`;
}
