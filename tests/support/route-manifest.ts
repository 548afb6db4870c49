import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { buildWhenStale } from "#scripts/build/build-state.mjs";

export interface BuiltRoute {
  /** The file below app without its extension: "routes/user.account". */
  id: string;
  hasLoader: boolean;
  hasAction: boolean;
  /** False for a resource route. */
  hasPage: boolean;
}

/** Prints the routes and ends: the site that a build starts would look for its database as long as the process lives. */
const PRINT_ROUTES = `
  const { routes } = await import("./build/server/index.js");
  const built = Object.values(routes).map(({ id, module }) => ({
    id,
    hasLoader: module.loader !== undefined,
    hasAction: module.action !== undefined,
    hasPage: module.default !== undefined,
  }));
  process.stdout.write(JSON.stringify(built), () => process.exit());
`;

/** Every route of the built site, read from the build itself. The root has no address of its own. */
export async function listRoutes(): Promise<BuiltRoute[]> {
  await buildWhenStale();
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "--eval",
    PRINT_ROUTES,
  ]);
  // The log of the site comes first.
  const built: BuiltRoute[] = JSON.parse(stdout.split("\n").at(-1) ?? "");
  return built.filter(({ id }) => id !== "root");
}
