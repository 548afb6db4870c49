import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { type Site, startSite } from "../site.ts";
import { startNginx } from "./start-nginx.ts";

export interface FrontSite extends Site {
  /** The web process, without nginx. */
  direct: Site;
  port: number;
  frontOutput(): string;
}

interface FrontSiteOptions {
  /** A new temporary folder when omitted, deleted by stop(). */
  dataDir?: string;
}

/** A web process of the production build behind nginx. */
export async function startFrontSite(
  env: Record<string, string> = {},
  options: FrontSiteOptions = {},
): Promise<FrontSite> {
  const port = await findTestPort();
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "peony-front-data-")));
  const direct = await startSite({ dataDir, env: { ...env, FRONT: "nginx", FRONT_PORT: String(port) } });
  const nginx = await startNginx({ port, sitePort: Number(new URL(direct.origin).port), dataDir, env });
  const address = `http://127.0.0.1:${port}`;
  return {
    ...direct,
    direct,
    port,
    origin: address,
    frontOutput: nginx.output,
    fetch: (path, init) => {
      const headers = new Headers(init?.headers);
      if (env.APP_URL) headers.set("x-forwarded-host", new URL(env.APP_URL).host);
      return fetch(new URL(path, address), { redirect: "manual", ...init, headers });
    },
    async stop() {
      await nginx.stop();
      await direct.stop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
