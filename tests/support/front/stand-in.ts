import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Nginx, type NginxOptions, startNginx } from "./start-nginx.ts";

interface StandIn extends Nginx {
  /** nginx hands out files from here. */
  media: string;
}

/** nginx in front of `answer`, which takes the place of the site for everything but /healthz. */
export async function startBeforeStandIn(
  answer: RequestListener,
  options: Pick<NginxOptions, "env" | "edit"> = {},
): Promise<StandIn> {
  const server = createServer((request, response) => {
    if (request.url === "/healthz") response.end();
    else answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const dataDir = await mkdtemp(join(tmpdir(), "peony-front-data-"));
  const media = join(dataDir, "media");
  await mkdir(media);
  const { port: sitePort } = server.address() as AddressInfo;
  const nginx = await startNginx({ ...options, sitePort, dataDir });
  return {
    ...nginx,
    media,
    async stop() {
      await nginx.stop();
      server.closeAllConnections();
      server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
