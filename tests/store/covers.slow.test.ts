import { startStore } from "#tests/support/store/start-store.ts";

await startStore();
await import("#app/domain/catalog/edit/files/covers.server.test.ts");
