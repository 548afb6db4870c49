import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("#app/domain/catalog/import/import-folder.server.test.ts");
