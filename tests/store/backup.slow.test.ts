import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../backup/backup.slow.test.ts");
