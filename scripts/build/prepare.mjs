import { existsSync } from "node:fs";
import { installWhenStale, requireNode, stopWith } from "./install.mjs";
import { announceProjectNode } from "./project-node.mjs";

/**
 * For a command that may run beside the site: prepares a checkout that was never built. A build removes the files that
 * a running site serves, so a stale one is refused in one line.
 */
export async function prepareCommand() {
  requireNode();
  const { isBuilt, isBuildStale } = await import("./build-state.mjs");
  if (!isBuilt() || !existsSync("node_modules")) return prepareCheckout();
  if (isBuildStale()) {
    stopWith(
      "The sources are newer than the build. Restart the site with npm start, or stop it and run npm run build.",
    );
  }
}

/** Installs and builds what is stale in a checkout; in development, the sources run unbuilt. Ends on a failure. */
export async function prepareCheckout({ isDevelopment = false } = {}) {
  requireNode();
  installWhenStale();
  announceProjectNode();
  if (isDevelopment) return;
  // The import is not at the top, so that an older Node gets the sentence and not a syntax error.
  const { buildWhenStale, isBuildStale } = await import("./build-state.mjs");
  try {
    if (!isBuildStale()) return;
    console.error("Building …");
    await buildWhenStale();
  } catch (error) {
    stopWith(error.message);
  }
}
