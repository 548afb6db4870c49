import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../media/originals.slow.test.ts");
