import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../media/encoding.slow.test.ts");
