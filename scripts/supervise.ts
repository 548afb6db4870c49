import { explain } from "./start/explain.ts";
import { runSite } from "./start/run-site.ts";

try {
  await runSite({ isDevelopment: process.argv.includes("--dev") });
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
