import "./start/load-env.ts";
import { explain } from "./start/explain.ts";

try {
  // Not at the top: a wrong setting is found while the configuration loads, and deserves its one line too.
  const { runSite } = await import("./start/run-site.ts");
  await runSite({ isDevelopment: process.argv.includes("--dev") });
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
