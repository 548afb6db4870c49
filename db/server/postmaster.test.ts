import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedDatabase, startEmbedded } from "./embedded.ts";

let folder: string;
let server: EmbeddedDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "peony-postmaster-"));
  server = await startEmbedded(folder);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Runs as in a container, where root may not look into the processes of other users. */
function runWithoutTracing(program: string): unknown {
  const script = `const postmaster = await import("./db/server/postmaster.ts"); console.log(JSON.stringify(await ${program}))`;
  const node = [process.execPath, "--import", "tsx", "--input-type=module", "--eval", script];
  const isRoot = process.getuid?.() === 0;
  const command = isRoot ? ["setpriv", "--bounding-set=-sys_ptrace", ...node] : node;
  return JSON.parse(execFileSync(command[0] ?? "", command.slice(1), { encoding: "utf8" }));
}

test("a running server keeps its lock, even when root cannot trace its processes", () => {
  const databaseDir = JSON.stringify(join(folder, "postgres"));
  expect(runWithoutTracing(`postmaster.findPostmaster(${databaseDir})`)).toMatchObject({
    pid: expect.any(Number),
  });
  expect(runWithoutTracing(`postmaster.isLockedByStranger(${databaseDir})`)).toBe(false);
});
