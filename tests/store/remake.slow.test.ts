import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../media/remake.slow.test.ts");
