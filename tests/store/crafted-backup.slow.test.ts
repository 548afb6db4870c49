import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../backup/crafted.slow.test.ts");
