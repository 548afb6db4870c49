import { explain } from "./command/explain.ts";

try {
  // Imported late, because loading the configuration throws when a setting is wrong.
  const { runMediaWorker } = await import("./worker/run-worker.ts");
  await runMediaWorker();
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
