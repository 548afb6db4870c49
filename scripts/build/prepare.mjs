import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { installWhenStale, requireNode, stopWith } from "./install.mjs";
import { announceProjectNode, projectNode } from "./project-node.mjs";

/**
 * For commands that may run beside the site: a build would remove the files that it serves, so a stale one is
 * refused.
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

/** Installs and builds what is stale; in development, the sources run unbuilt. Ends the process on a failure. */
export async function prepareCheckout({ isDevelopment = false } = {}) {
  requireNode();
  installWhenStale({ withTools: isDevelopment });
  announceProjectNode();
  if (isDevelopment) return;
  // Imported late, so that an older Node.js prints the sentence instead of a syntax error.
  const { buildWhenStale, isBuildStale } = await import("./build-state.mjs");
  try {
    if (!isBuildStale()) return;
    const { status } = spawnSync(projectNode(), ["scripts/build/check-settings.ts"], { stdio: "inherit" });
    if (status !== 0) process.exit(1);
    console.error("Building …");
    await buildWhenStale();
  } catch (error) {
    stopWith(error.message);
  }
}
