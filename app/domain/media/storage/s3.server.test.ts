import { afterAll, beforeAll } from "vitest";
import { type Engine, startEngine } from "#tests/support/store/engine.ts";
import { storageFrom } from "#tests/support/store/storage-from.ts";
import { testStorage } from "#tests/support/store/storage-suite.ts";
import type { MediaStorage } from "./storage.ts";

let engine: Engine;
let storage: MediaStorage;

beforeAll(async () => {
  engine = await startEngine();
  storage = storageFrom(await engine.bucket());
});
afterAll(() => engine?.stop());

testStorage(() => storage);
