import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("#app/domain/uploads/uploads.slow.test.ts");
