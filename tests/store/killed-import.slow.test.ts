import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../studio/killed-import.slow.test.ts");
