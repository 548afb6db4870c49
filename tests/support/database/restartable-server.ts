import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "#db/server/embedded.ts";
import { findPrograms } from "#db/server/programs.ts";
import { runServer, type Server } from "#db/server/run-server.ts";
import { findServerUser } from "#db/server/server-user.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";

export interface RestartableServer {
  /** Of its superuser, on a new and empty database. */
  url: string;
  /** Ends every connection, as `pg_ctl stop --mode=fast` does. */
  stop(): Promise<void>;
  /** On the same port. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** A PostgreSQL of the test's own, because the others share one that must not stop. */
export async function startRestartableServer(): Promise<RestartableServer> {
  const folder = await mkdtemp(join(tmpdir(), "peony-restarts-"));
  const made = await startEmbedded(folder);
  const url = new URL(made.adminUrl);
  await made.stop();
  const port = await findTestPort();
  url.port = String(port);
  const databaseDir = join(folder, "postgres");
  const user = await findServerUser(databaseDir);
  const programs = await findPrograms(user);
  let running: Server | null = null;
  const server: RestartableServer = {
    url: url.href,
    async stop() {
      await running?.stop();
      running = null;
    },
    async start() {
      running = await runServer({ programs, databaseDir, ...(user ? { user } : {}), lock: null }, port, []);
    },
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}
