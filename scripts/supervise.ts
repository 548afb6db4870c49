import { explain } from "./command/explain.ts";
import { loadEnv } from "./command/load-env.ts";

try {
  loadEnv();
  // Imported late, because loading the configuration throws when a setting is wrong.
  const { runSite } = await import("./supervisor/run-site.ts");
  await runSite({ isDevelopment: process.argv.includes("--dev") });
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
