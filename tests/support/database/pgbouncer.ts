import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PGBOUNCER, requirePgBouncer } from "#scripts/build/programs.mjs";
import { findTestPort } from "#tests/support/process/test-port.ts";

const READY_WITHIN_MS = 30_000;

export interface PgBouncer {
  /** The database's address through it. */
  url: string;
  pid(): number;
  /** Ends it, and every connection with it, at once. */
  kill(): Promise<void>;
  /** On the same port. */
  start(): Promise<void>;
  /** Also deletes its folder. */
  stop(): Promise<void>;
}

/** PgBouncer in transaction mode in front of a server, with any of its databases, as docs/operations.md sets it up. */
export async function startPgBouncer(databaseUrl: string, more = ""): Promise<PgBouncer> {
  requirePgBouncer();
  const folder = await mkdtemp(join(tmpdir(), "peony-pgbouncer-"));
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(await findTestPort());
  const configuration = join(folder, "pgbouncer.ini");
  const users = join(folder, "userlist.txt");
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    configuration,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
pool_mode = transaction
listen_addr = 127.0.0.1
listen_port = ${url.port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
default_pool_size = 20
max_client_conn = 500
server_login_retry = 1
${more}
`,
  );
  // It refuses to run as root, and reads its file again as its own user.
  await chmod(folder, 0o755);
  const asUser = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  let child: ChildProcess;
  process.once("exit", () => child.kill("SIGKILL"));
  const pgbouncer: PgBouncer = {
    url: url.href,
    pid: () => child.pid ?? 0,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
    async start() {
      child = spawn(PGBOUNCER, ["-q", ...asUser, configuration], { stdio: ["ignore", "ignore", "pipe"] });
      let said = "";
      child.stderr?.on("data", (part: Buffer) => {
        said += part.toString();
      });
      for (
        const deadline = Date.now() + READY_WITHIN_MS;
        !(await answers(Number(url.port)));
        await sleep(20)
      ) {
        if (child.exitCode !== null || Date.now() > deadline)
          throw new Error(`PgBouncer did not start:\n${said}`);
      }
    },
    async stop() {
      await pgbouncer.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await pgbouncer.start();
  return pgbouncer;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(port, "127.0.0.1");
    probe.once("error", () => resolve(false));
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
  });
}
