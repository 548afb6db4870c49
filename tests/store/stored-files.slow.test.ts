import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../backup/stored-files.slow.test.ts");
