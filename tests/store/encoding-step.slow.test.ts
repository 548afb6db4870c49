import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("#app/domain/catalog/encoding/run-step.server.test.ts");
