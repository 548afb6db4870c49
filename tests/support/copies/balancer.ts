import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endProcess } from "#tests/support/process/end-process.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";

const READY_WITHIN_MS = 30_000;
/** As often as the health check of deploy/two-copies.yaml, which asks four times a second. */
const CHECK_MS = 1_000;
const CHECKS = 4;

export interface Balancer {
  origin: string;
  port: number;
  stop(): Promise<void>;
}

/** Runs nginx with deploy/two-copies.conf, without TLS and on ports of its own, and its container's health check. */
export async function startBalancer(copies: [number, number]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), "peony-balancer-"));
  const [port, checkPort] = [await findTestPort(), await findTestPort()];
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  await writeFile(
    join(folder, "nginx.conf"),
    `daemon off; worker_processes 2; pid ${folder}/pid; error_log ${folder}/log error;
    ${process.getuid?.() === 0 ? "user root;" : ""}
    events { worker_connections 1024; }
    http {
    ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n")}
    ${await exampleConfig(port, checkPort, copies)}
    }`,
  );
  const nginx: ChildProcess = spawn(
    "/usr/sbin/nginx",
    ["-e", `${folder}/log`, "-p", folder, "-c", "nginx.conf"],
    {
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  const check = () => fetch(`http://127.0.0.1:${checkPort}/healthz`).catch(() => null);
  for (const deadline = Date.now() + READY_WITHIN_MS; !(await check())?.ok; await sleep(50)) {
    if (Date.now() > deadline) throw new Error(await readFile(join(folder, "log"), "utf8"));
  }
  const timer = setInterval(async () => {
    for (let left = CHECKS; left > 0; left -= 1) await check();
  }, CHECK_MS);
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    async stop() {
      clearInterval(timer);
      await endProcess(nginx);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function exampleConfig(port: number, checkPort: number, copies: [number, number]): Promise<string> {
  const given = await readFile("deploy/two-copies.conf", "utf8");
  const changes: [RegExp, string][] = [
    [/server 172\.30\.0\.11:8080/, `server 127.0.0.1:${copies[0]}`],
    [/server 172\.30\.0\.12:8080/, `server 127.0.0.1:${copies[1]}`],
    [/listen 127\.0\.0\.1:8081;/, `listen 127.0.0.1:${checkPort};`],
    [/server \{\n {2}listen 80;[^}]*\}/, ""],
    [/listen 443 ssl;\n {2}http2 on;/, `listen 127.0.0.1:${port};`],
    [/ssl_certificate [^\n]*\n\s*ssl_certificate_key [^\n]*/, ""],
  ];
  return changes.reduce((config, [from, to]) => {
    if (!from.test(config)) throw new Error(`deploy/two-copies.conf has no ${from}`);
    return config.replace(from, to);
  }, given);
}
