import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("../front/media.slow.test.ts");
