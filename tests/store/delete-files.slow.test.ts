import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("#app/domain/catalog/edit/files/delete-files.server.test.ts");
