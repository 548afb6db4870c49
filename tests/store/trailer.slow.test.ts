import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../media/trailer.slow.test.ts");
