import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { startEmbedded } from "#db/server/embedded.ts";
import { findPostmaster, type Postmaster } from "#db/server/postmaster.ts";
import { explain } from "#scripts/command/explain.ts";

declare module "vitest" {
  interface ProvidedContext {
    serverUrl: string;
  }
}

const FAST_FLAGS = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "max_connections=200"];

/** Starts one real PostgreSQL for the whole run, with a migrated template that each test file clones. */
export default function setup(project: TestProject) {
  return startServer(project).catch(stopWithReason);
}

async function startServer(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), "peony-test-"));
  const server = await startEmbedded(folder, FAST_FLAGS);
  endWithProcess(await findPostmaster(join(folder, "postgres")));
  const serverUrl = withName(server.adminUrl, "postgres");
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  // The clone keeps the rights of the site's role in the server's initial database.
  await admin.unsafe("CREATE DATABASE peony_template TEMPLATE peony");
  await migrateDatabase(withName(server.adminUrl, "peony_template"));
  await admin.end();
  project.provide("serverUrl", serverUrl);

  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** A run that is interrupted ends without its teardown. */
function endWithProcess(postmaster: Postmaster | null): void {
  process.once("exit", () => {
    try {
      if (postmaster !== null) process.kill(postmaster.pid, "SIGINT");
    } catch {
      // The teardown has stopped it.
    }
  });
}

/** Vitest would print a stack trace. */
function stopWithReason(error: unknown): never {
  console.error(explain(error));
  process.exit(1);
}

function withName(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}
