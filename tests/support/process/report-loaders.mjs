import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** Preloaded into a web process: every loader that runs prints a line with its route and the request's x-marker. */
const built = "build/server/index.js";
// remix-serve imports the build by this address, so both get the same module instance.
const { routes } = await import(`${pathToFileURL(built).href}?t=${statSync(built).mtimeMs}`);
for (const route of Object.values(routes)) {
  const { loader } = route.module;
  if (loader === undefined) continue;
  const reporting = (args) => {
    console.log(`loader ran: ${route.id} ${args.request.headers.get("x-marker") ?? ""}`);
    return loader(args);
  };
  route.module = { ...route.module, loader: reporting };
}
