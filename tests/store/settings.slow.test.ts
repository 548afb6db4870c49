import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../studio/settings.slow.test.ts");
