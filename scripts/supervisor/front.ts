import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type FrontSettings, frontFiles } from "#app/front/nginx-config.server.ts";
import { printFrontMessage, relayLog } from "./front-log.ts";
import { missingOfNginx, NGINX, NGINX_MODULES, NGINX_PACKAGES } from "./nginx-packages.ts";
import type { Program } from "./processes.ts";

const CLIENT = "build/client";
const MAX_WORKERS = 4;

interface FrontAddress extends Pick<FrontSettings, "origin" | "isDemo" | "trustedProxies" | "hasStore"> {
  host: string | undefined;
  port: number;
  sitePort: number;
  media: string;
  print?: (text: string) => void;
}

export interface Front {
  program: Program;
  run: string;
  remove: () => void;
}

/** Throws if nginx is not installed. */
export function prepareFront(
  { host, port, media, print, ...settings }: FrontAddress,
  env: NodeJS.ProcessEnv,
): Front {
  const missing = missingOfNginx();
  if (missing !== null) {
    throw new Error(
      `FRONT=nginx needs Debian's packages ${NGINX_PACKAGES.join(", ")}: ${missing} is missing.`,
    );
  }
  const run = makeRunFolder(`peony-front-${(host ?? "").replaceAll(/[^\w.-]/g, "_")}-${port}-`);
  const files = frontFiles({
    ...settings,
    listen: addressesOf(host, port),
    workers: Math.min(availableParallelism(), MAX_WORKERS),
    rootFiles: readdirSync(CLIENT, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
      .map(({ name }) => name),
  });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(run, name)), { recursive: true });
    writeFileSync(join(run, name), content, { mode: 0o600 });
  }
  const links = { modules: NGINX_MODULES, client: resolve(CLIENT), media: resolve(media) };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(run, name));
  const endLog = relayLog(join(run, "log"), print);
  const program: Program = {
    name: "nginx",
    // nginx must end with the supervisor, even if that is killed.
    command: "setpriv",
    args: ["--pdeathsig", "TERM", NGINX, "-e", "stderr", "-p", run, "-c", "nginx.conf"],
    env,
    stopSignal: "SIGQUIT",
    print: (line) => printFrontMessage(line, print),
  };
  const remove = () => {
    endLog();
    rmSync(run, { recursive: true, force: true });
  };
  return { program, run, remove };
}

/** Nobody can guess the name. Folders that a killed site left behind for this address are deleted. */
function makeRunFolder(prefix: string): string {
  const own = process.getuid?.();
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(prefix))) {
    const path = join(tmpdir(), name);
    if (lstatSync(path, { throwIfNoEntry: false })?.uid === own)
      rmSync(path, { recursive: true, force: true });
  }
  return mkdtempSync(join(tmpdir(), prefix));
}

function addressesOf(host: string | undefined, port: number): string[] {
  if (host !== undefined) return [host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`];
  const isIPv6 = existsSync("/proc/net/if_inet6");
  return [`0.0.0.0:${port}`, ...(isIPv6 ? [`[::]:${port}`] : [])];
}
