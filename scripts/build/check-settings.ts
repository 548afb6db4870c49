import { readSettings } from "#app/config/settings.ts";
import { explain } from "../command/explain.ts";
import { loadEnv } from "../command/load-env.ts";

// Node.js runs this file and its imports without a build, so that a wrong setting is named before one.
try {
  loadEnv();
  readSettings(process.env);
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
