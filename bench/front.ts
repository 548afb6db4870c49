import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { startEmbedded } from "#db/server/embedded.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { requireNginx, requireWrk } from "#scripts/build/programs.mjs";

const TURNS = 5;
const SECONDS = 2;
const SHARE_LIMIT = 0.8;
const START_LIMIT_MS = 3_000;
const STARTS = 3;
const READY_WITHIN_MS = 120_000;
const VIDEO_BYTES = 2_000_000_000;
const PAGE = "/content/video";

interface Pair {
  name: string;
  unit: string;
  site: string;
  plain: string;
  measure: (url: string, cookie: string) => number;
}

/**
 * Compares the site behind its nginx with a plain nginx that sends the same bytes to anybody, in turns, and measures
 * the start. Exits with 1 when a goal is missed.
 */
async function benchFront(): Promise<boolean> {
  await buildWhenStale();
  requireNginx();
  requireWrk();
  const folder = await mkdtemp(join(tmpdir(), "peony-bench-"));
  // When root starts the benchmark, the database runs as another user, who must be able to enter this folder.
  await chmod(folder, 0o711);
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const origin = `http://127.0.0.1:${port}`;
  let site = await start(folder, origin);
  let plain: ChildProcess | null = null;
  try {
    const cookie = await passGate(origin);
    const video = await addVideo(join(folder, "site"));
    const page = await fetchBytes(origin + PAGE, cookie);
    const posters = page.text.match(/\/media\/[\w-]+\/cover-480\.webp/g) ?? [];
    const poster = posters.find((path) => !path.includes(video.id)) ?? "";
    plain = await startPlain(folder, port + 1);
    const files = {
      "page.html": page.compressed,
      "cover.webp": (await fetchBytes(origin + poster, cookie)).raw,
    };
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, "plain", name), bytes);
    const pairs: Pair[] = [
      { name: "page, signed out", unit: "/s", site: PAGE, plain: "/page.html", measure: requestsPerSecond },
      { name: "poster", unit: "/s", site: poster, plain: "/cover.webp", measure: requestsPerSecond },
      {
        name: "long video",
        unit: "MB/s",
        site: video.path,
        plain: "/video.mp4",
        measure: megabytesPerSecond,
      },
    ];
    console.log(`${page.compressed.length} B of page, ${files["cover.webp"].length} B of poster`);
    const isFast = pairs
      .map((pair) => compare(pair, origin, `http://127.0.0.1:${port + 1}`, cookie))
      .every(Boolean);
    const times: number[] = [];
    for (let turn = 0; turn < STARTS; turn += 1) {
      await end(site.process);
      site = await start(folder, origin);
      times.push(site.ms);
    }
    console.log(
      `start to ready     ${times.map((ms) => ms.toFixed(0)).join(", ")} ms, at most ${START_LIMIT_MS}`,
    );
    return isFast && median(times) <= START_LIMIT_MS;
  } finally {
    await end(site.process);
    if (plain) await end(plain);
    await rm(folder, { recursive: true, force: true });
  }
}

function compare(pair: Pair, origin: string, plainOrigin: string, cookie: string): boolean {
  const found: Record<"site" | "plain", number[]> = { site: [], plain: [] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    found.plain.push(pair.measure(plainOrigin + pair.plain, cookie));
    found.site.push(pair.measure(origin + pair.site, cookie));
  }
  const share = median(found.site.map((value, turn) => value / (found.plain[turn] ?? Number.NaN)));
  const figures = `${median(found.site).toFixed(0)} of ${median(found.plain).toFixed(0)} ${pair.unit}`;
  console.log(
    `${pair.name.padEnd(18)} ${figures}, ${(share * 100).toFixed(0)} %, at least ${SHARE_LIMIT * 100} %`,
  );
  return share >= SHARE_LIMIT;
}

function requestsPerSecond(url: string, cookie: string): number {
  const headers = ["-H", `Cookie: ${cookie}`, "-H", "Accept-Encoding: gzip"];
  const { stdout } = spawnSync("wrk", ["-t1", "-c16", `-d${SECONDS}s`, ...headers, url], {
    encoding: "utf8",
  });
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`Some requests failed:\n${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

function megabytesPerSecond(url: string, cookie: string): number {
  const args = [
    "-sf",
    "-o",
    "/dev/null",
    "-w",
    "%{size_download} %{speed_download}",
    "-H",
    `Cookie: ${cookie}`,
    url,
  ];
  const [bytes, speed] = spawnSync("curl", args, { encoding: "utf8" }).stdout.split(" ").map(Number);
  if (bytes !== VIDEO_BYTES) throw new Error(`${bytes} bytes of the video arrived`);
  return (speed ?? 0) / 1e6;
}

/** Starts the site as its container does, with the built-in database. `ms` is the time until it is ready. */
async function start(folder: string, origin: string): Promise<{ process: ChildProcess; ms: number }> {
  const begun = performance.now();
  const child = spawn(process.execPath, ["build/scripts/supervise.js"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      DATA_DIR: join(folder, "site"),
      HOST: "127.0.0.1",
      PORT: new URL(origin).port,
      FRONT: "nginx",
    },
  });
  while (performance.now() - begun < READY_WITHIN_MS && child.exitCode === null) {
    const answer = await fetch(`${origin}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return { process: child, ms: performance.now() - begun };
    await sleep(10);
  }
  throw new Error("The site did not start");
}

/** An nginx that knows no visitor, with the settings that matter for speed as in the site's own. */
async function startPlain(folder: string, port: number): Promise<ChildProcess> {
  const run = join(folder, "plain");
  mkdirSync(run, { recursive: true });
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (one) => `${one}_temp_path ${run}/${one};`,
  );
  writeFileSync(
    join(run, "nginx.conf"),
    `daemon off; pid ${run}/pid; worker_processes ${Math.min(availableParallelism(), 4)};
     ${process.getuid?.() === 0 ? "user root;" : ""}
     events { worker_connections 4096; }
     http { sendfile on; tcp_nopush on; access_log off; ${paths.join(" ")} keepalive_requests 10000;
       open_file_cache max=4000 inactive=20s; open_file_cache_valid 5s;
       server { listen 127.0.0.1:${port} reuseport; root ${run};
         location = /video.mp4 { alias ${join(folder, "site/media/media/bench/video-720.mp4")}; } } }`,
  );
  const child = spawn("/usr/sbin/nginx", ["-e", "stderr", "-p", run, "-c", join(run, "nginx.conf")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await sleep(500);
  return child;
}

/** A free video of the site, larger than what its demo has. */
async function addVideo(dataDir: string): Promise<{ id: string; path: string }> {
  const id = randomUUID();
  const storageKey = "media/bench/video-720.mp4";
  mkdirSync(join(dataDir, "media/media/bench"), { recursive: true });
  const file = join(dataDir, "media", storageKey);
  writeFileSync(file, "");
  truncateSync(file, VIDEO_BYTES);
  const database = await startEmbedded(dataDir);
  const sql = postgres(database.adminUrl, { max: 1, onnotice: () => {} });
  await sql`INSERT INTO media ${sql({ id, type: "video", status: "published", access: "free", title: "Long", slug: `long-${id}`, short_id: id.slice(0, 8) })}`;
  await sql`INSERT INTO media_files ${sql({ media_id: id, name: "video-720.mp4", storage_key: storageKey, content_type: "video/mp4", needs: "view", bytes: VIDEO_BYTES, sha256: "0".repeat(64) })}`;
  await sql.end();
  return { id, path: `/media/${id}/video-720.mp4` };
}

/** Returns the cookies that prove the age gate was passed. */
async function passGate(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/enter`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: origin },
    body: new URLSearchParams({ next: PAGE }),
  });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return cookies.join("; ");
}

async function fetchBytes(url: string, cookie: string) {
  const headers = ["-H", `Cookie: ${cookie}`];
  const raw = spawnSync("curl", ["-sf", ...headers, url], { maxBuffer: 1e8 }).stdout;
  const gzip = [...headers, "-H", "Accept-Encoding: gzip"];
  const compressed = spawnSync("curl", ["-sf", ...gzip, url], { maxBuffer: 1e8 }).stdout;
  return { raw, compressed, text: raw.toString() };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

process.exit((await benchFront()) ? 0 : 1);
