import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { frontFiles } from "#app/front/nginx-config.server.ts";
import { printFrontMessage, relayLog } from "./front-log.ts";
import type { Program } from "./processes.ts";

const CLIENT = "build/client";
const MODULES = "/usr/lib/nginx/modules";
const NEEDED = ["nginx", "libnginx-mod-http-js", "libnginx-mod-http-brotli-static"];
const PROGRAMS = ["/usr/sbin/nginx", "/usr/bin/setpriv", `${MODULES}/ngx_http_js_module.so`];
const BROTLI = `${MODULES}/ngx_http_brotli_static_module.so`;
const MEMORY = "/dev/shm";
const MAX_WORKERS = 4;
const OWNER_ONLY = 0o700;

type FromConfig = Pick<Parameters<typeof frontFiles>[0], "origin" | "isDemo" | "trustedProxies" | "media">;

interface FrontAddress extends FromConfig {
  /** All addresses when undefined. */
  host: string | undefined;
  port: number;
  /** The port of the web processes on loopback. */
  sitePort: number;
  /** Prints to the standard output when omitted. */
  print?: (text: string) => void;
}

export interface Front {
  program: Program;
  /** Deletes what it has written, after nginx has ended. */
  remove: () => void;
}

/** Writes nginx's configuration. Throws when it is not installed. */
export function prepareFront(
  { host, port, print, ...settings }: FrontAddress,
  env: NodeJS.ProcessEnv,
): Front {
  const missing = [...PROGRAMS, BROTLI].filter((path) => !existsSync(path));
  if (missing.length > 0) {
    throw new Error(`FRONT=nginx needs Debian's packages ${NEEDED.join(", ")}: ${missing[0]} is missing.`);
  }
  const run = emptyFolder(tmpdir(), port);
  const cache = existsSync(MEMORY) ? emptyFolder(MEMORY, port) : run;
  const files = frontFiles({
    ...settings,
    listen: addressesOf(host, port),
    workers: Math.min(availableParallelism(), MAX_WORKERS),
    modules: MODULES,
    run,
    cache,
    client: resolve(CLIENT),
    rootFiles: readdirSync(CLIENT, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
      .map(({ name }) => name),
  });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(run, name)), { recursive: true });
    writeFileSync(join(run, name), content, { mode: 0o600 });
  }
  const endLog = relayLog(join(cache, "log"), print);
  const program: Program = {
    name: "nginx",
    // nginx ends with the supervisor, even when that is killed.
    command: "setpriv",
    args: [
      "--pdeathsig",
      "TERM",
      "/usr/sbin/nginx",
      "-e",
      "stderr",
      "-p",
      run,
      "-c",
      join(run, "nginx.conf"),
    ],
    env,
    stopSignal: "SIGQUIT",
    print: (line) => printFrontMessage(line, print),
  };
  const remove = () => {
    endLog();
    for (const folder of [run, cache]) rmSync(folder, { recursive: true, force: true });
  };
  return { program, remove };
}

/** A folder of this port that nobody else may enter; one that was left by a killed site is emptied. */
function emptyFolder(parent: string, port: number): string {
  const folder = join(parent, `peony-front-${process.getuid?.() ?? 0}-${port}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: OWNER_ONLY });
  chmodSync(folder, OWNER_ONLY);
  return folder;
}

function addressesOf(host: string | undefined, port: number): string[] {
  if (host !== undefined) return [host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`];
  const isIPv6 = existsSync("/proc/net/if_inet6");
  return [`0.0.0.0:${port}`, ...(isIPv6 ? [`[::]:${port}`] : [])];
}
