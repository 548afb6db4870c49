import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../media/set-archive.slow.test.ts");
