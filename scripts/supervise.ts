import { explain } from "./command/explain.ts";
import { loadEnv } from "./command/load-env.ts";

try {
  loadEnv();
  // The import is not at the top, because a wrong setting throws while the configuration loads, and must be reported
  // in one line too.
  const { runSite } = await import("./supervisor/run-site.ts");
  await runSite({ isDevelopment: process.argv.includes("--dev") });
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
