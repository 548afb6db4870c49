import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "#db/embedded.ts";
import { migrateDatabase } from "#db/migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    serverUrl: string;
  }
}

const FAST_FLAGS = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "max_connections=200"];

/** One real PostgreSQL for the whole run, with a migrated template that each test file clones. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), "peony-test-"));
  const server = await startEmbedded(folder, FAST_FLAGS);
  const template = new URL(server.url);
  template.pathname = "/peony_template";
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  await admin.unsafe("CREATE DATABASE peony_template");
  await migrateDatabase(template.href);
  await admin.end();
  project.provide("serverUrl", server.url);

  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
