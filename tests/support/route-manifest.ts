import { pathToFileURL } from "node:url";
import type { ServerBuild } from "@remix-run/node";
import { buildWhenStale } from "#scripts/build/build-state.mjs";

export interface BuiltRoute {
  /** The file below app without its extension: "routes/user.account". */
  id: string;
  hasLoader: boolean;
  hasAction: boolean;
  /** False for a resource route. */
  hasPage: boolean;
}

/** Every route of the built site, read from the build itself. The root has no address of its own. */
export async function listRoutes(): Promise<BuiltRoute[]> {
  await buildWhenStale();
  const build = (await import(pathToFileURL("build/server/index.js").href)) as ServerBuild;
  return Object.values(build.routes).flatMap((route) =>
    !route || route.id === "root"
      ? []
      : [
          {
            id: route.id,
            hasLoader: route.module.loader !== undefined,
            hasAction: route.module.action !== undefined,
            hasPage: route.module.default !== undefined,
          },
        ],
  );
}
