import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports of outgoing connections, which could take the site's port while a process restarts. */
const SITE_PORTS = { first: 10_000, count: 2_000 };

export function requireFreePort(port: number, host?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => reject(new Error(reason(error, port, host))));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

export function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return requireFreePort(port, host).then(
    () => true,
    () => false,
  );
}

export async function findSitePort(): Promise<number> {
  const { first, count } = SITE_PORTS;
  const start = randomInt(count);
  for (let tried = 0; tried < count; tried += 1) {
    const port = first + ((start + tried) % count);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`No port from ${first} to ${first + count - 1} is free for the web processes.`);
}

const NOT_OURS = ["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"];

function reason(error: NodeJS.ErrnoException, port: number, host = ""): string {
  if (host !== "" && NOT_OURS.includes(error.code ?? "")) {
    return `HOST is not an address of this machine (${error.code}): use one, without a port or brackets, or leave HOST empty.`;
  }
  if (error.code === "EADDRINUSE") {
    return `Port ${port} is in use: stop what uses it, or choose another with PORT=${port + 1} npm start.`;
  }
  if (error.code === "EACCES") return `This user cannot use port ${port}: choose one above 1023 with PORT.`;
  return `Port ${port} cannot be used (${error.code}): choose another with PORT.`;
}
