import { explain } from "./command/explain.ts";

try {
  // The import is not at the top, because a wrong setting throws while the configuration loads, and must be reported
  // in one line too.
  const { runWorker } = await import("./worker/run-worker.ts");
  await runWorker();
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
