import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseConfig } from "#app/config.server.ts";
import { prepareFront } from "#scripts/supervisor/front.ts";
import { ProcessGroup } from "#scripts/supervisor/processes.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { type Site, startSite } from "../site.ts";

const READY_WITHIN_MS = 10_000;

export interface FrontSite extends Site {
  /** The web process, without nginx. */
  direct: Site;
  port: number;
  frontOutput(): string;
}

/** A web process of the production build behind nginx, which the supervisor's own code has set up. */
export async function startFrontSite(env: Record<string, string> = {}): Promise<FrontSite> {
  const port = await findTestPort();
  const dataDir = await mkdtemp(join(tmpdir(), "peony-front-data-"));
  const direct = await startSite({ dataDir, env: { ...env, FRONT: "nginx", FRONT_PORT: String(port) } });
  const { origin, isDemo, web } = parseConfig({
    SESSION_SECRET: randomBytes(32).toString("hex"),
    DATA_DIR: dataDir,
    CONTACT_EMAIL: "contact@peony.example",
    ...env,
    PORT: String(port),
  });
  let printed = "";
  const { program, remove } = prepareFront(
    {
      host: "127.0.0.1",
      port,
      origin,
      isDemo,
      trustedProxies: web.trustedProxies,
      media: join(dataDir, "media"),
      sitePort: Number(new URL(direct.origin).port),
      print: (text) => {
        printed += text;
      },
    },
    { NODE_ENV: "production", PATH: process.env.PATH },
  );
  const nginx = new ProcessGroup();
  nginx.keepRunning(program);
  const address = `http://127.0.0.1:${port}`;
  const site: FrontSite = {
    ...direct,
    direct,
    port,
    origin: address,
    frontOutput: () => printed,
    fetch: (path, init) => {
      const headers = new Headers(init?.headers);
      if (env.APP_URL) headers.set("x-forwarded-host", new URL(env.APP_URL).host);
      return fetch(new URL(path, address), { redirect: "manual", ...init, headers });
    },
    async stop() {
      await nginx.stop();
      remove();
      await direct.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  for (const deadline = Date.now() + READY_WITHIN_MS; ; await sleep(50)) {
    if ((await site.fetch("/healthz").catch(() => null))?.ok) return site;
    if (Date.now() > deadline) throw new Error(`nginx did not start:\n${printed}`);
  }
}
