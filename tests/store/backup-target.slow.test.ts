import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../backup/target.slow.test.ts");
