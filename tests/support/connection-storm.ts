import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Site } from "./site.ts";

const CONNECTIONS = 2_000;
const OPENED_AT_ONCE = 100;

const KINDS = ["head", "form", "head", "form", "head", "answer"] as const;
const HEAD = "GET /about HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
const FORM =
  "POST /signin HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: 5000\r\n\r\nemail=";

interface Storm {
  seconds: number;
  /** The number of network addresses that the connections come from. */
  addresses: number;
  meanwhile?: () => Promise<void>;
}

/** Opens 2,000 connections, each of which sends or reads one byte per second. */
export async function storm(site: Site, { seconds, addresses, meanwhile }: Storm): Promise<void> {
  const file = largestScript();
  const slow: Slow[] = [];
  for (let index = 0; index < CONNECTIONS; index += 1) {
    slow.push(openSlow(site, index, `127.9.0.${(index % addresses) + 1}`, file));
    if (index % OPENED_AT_ONCE === 0) await sleep(50);
  }
  const endsAt = Date.now() + seconds * 1_000;
  const steps = setInterval(() => {
    for (const { step } of slow) step();
  }, 1_000);
  while (Date.now() < endsAt) {
    await meanwhile?.();
    await sleep(500);
  }
  clearInterval(steps);
  for (const { socket } of slow) socket.destroy();
}

interface Slow {
  socket: Socket;
  step: () => void;
}

/** Some connections send the head of a request, some its body, and some read a response. */
function openSlow(site: Site, index: number, localAddress: string, file: string): Slow {
  const kind = KINDS[index % KINDS.length] ?? "head";
  const socket = connect({
    port: Number(new URL(site.origin).port),
    host: "127.0.0.1",
    localAddress,
    // Reads one byte at a time, so that the rest stays with the server.
    onread: { buffer: Buffer.alloc(1), callback: () => false },
  });
  socket.on("error", () => {});
  socket.write({ head: HEAD, form: FORM, answer: `GET ${file} HTTP/1.1\r\nHost: localhost\r\n\r\n` }[kind]);
  const step = () => {
    if (socket.destroyed) return;
    socket.resume();
    if (kind !== "answer") socket.write("x");
  };
  return { socket, step };
}

function largestScript(): string {
  const files = readdirSync("build/client/assets").filter((name) => name.endsWith(".js"));
  const [largest] = files.sort((a, b) => sizeOf(b) - sizeOf(a));
  return `/assets/${largest}`;
}

function sizeOf(name: string): number {
  return statSync(join("build/client/assets", name)).size;
}

export function openHandles(site: Site): number {
  return readdirSync(`/proc/${site.process.pid}/fd`).length;
}

/** The setting of a site whose `liveMegabytes` is asked for. */
export const WITH_INSPECTOR = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

/**
 * The memory that the site still refers to, in MB. Memory of the process is no measure: V8 keeps what it has freed for
 * half a minute and longer, on a busy machine for minutes.
 */
export async function liveMegabytes(site: Site): Promise<number> {
  const [address] = /ws:\S+/.exec(site.output()) ?? [];
  if (address === undefined) throw new Error("The site was started without WITH_INSPECTOR.");
  const socket = new WebSocket(address);
  await once(socket, "open");
  const ask = async (id: number, method: string) => {
    socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [{ data }] = (await once(socket, "message")) as [MessageEvent<string>];
      const answer = JSON.parse(data);
      if (answer.id === id) return answer.result;
    }
  };
  await ask(1, "HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize } = await ask(2, "Runtime.getHeapUsage");
  socket.close();
  return (usedSize + backingStorageSize) / 1024 / 1024;
}
