import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../http/leak.test.ts");
