import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseConfig } from "#app/config.server.ts";
import { prepareFront } from "#scripts/supervisor/front.ts";
import { ProcessGroup } from "#scripts/supervisor/processes.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { storeSettings } from "../store/start-store.ts";

const READY_WITHIN_MS = 10_000;

export interface NginxOptions {
  /** A free port when omitted. */
  port?: number;
  /** The port on loopback of the server behind nginx; its /healthz must give 200. */
  sitePort: number;
  dataDir: string;
  env?: Record<string, string>;
  /** For a look into what nginx computes. */
  edit?: (configuration: string) => string;
}

export interface Nginx {
  port: number;
  output(): string;
  stop(): Promise<void>;
}

/** nginx as the supervisor's own code sets it up. Resolves when it passes requests on. */
export async function startNginx({
  sitePort,
  dataDir,
  env = {},
  edit = (conf) => conf,
  ...given
}: NginxOptions): Promise<Nginx> {
  const port = given.port ?? (await findTestPort());
  const { origin, isDemo, web, media } = parseConfig({
    SESSION_SECRET: randomBytes(32).toString("hex"),
    DATA_DIR: dataDir,
    CONTACT_EMAIL: "contact@peony.example",
    ...storeSettings(),
    ...env,
    PORT: String(port),
  });
  let printed = "";
  const { program, run, remove } = prepareFront(
    {
      host: "127.0.0.1",
      port,
      origin,
      isDemo,
      trustedProxies: web.trustedProxies,
      media: join(dataDir, "media"),
      hasStore: media.s3 !== null,
      sitePort,
      print: (text) => {
        printed += text;
      },
    },
    { NODE_ENV: "production", PATH: process.env.PATH },
  );
  const conf = join(run, "nginx.conf");
  writeFileSync(conf, edit(readFileSync(conf, "utf8")));
  const processes = new ProcessGroup();
  processes.keepRunning(program);
  const nginx: Nginx = {
    port,
    output: () => printed,
    async stop() {
      await processes.stop();
      remove();
    },
  };
  for (const deadline = Date.now() + READY_WITHIN_MS; ; await sleep(50)) {
    if ((await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.ok) return nginx;
    if (Date.now() > deadline) throw new Error(`nginx did not start:\n${printed}`);
  }
}
