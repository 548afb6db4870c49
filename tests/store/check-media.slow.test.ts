import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../media/check-media.slow.test.ts");
