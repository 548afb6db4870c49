import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

const folder = await mkdtemp(join(tmpdir(), "peony-orphans-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(["stripe-stand-in", "ccbill-stand-in", "btcpay-stand-in", "worker", "media-worker"])(
  "%s ends when its parent is killed while it starts",
  async (name) => {
    const { DATABASE_URL = "", PATH } = process.env;
    const env = { NODE_ENV: "production" as const, PATH, DATABASE_URL, DATA_DIR: folder };
    const args = name.endsWith("worker") ? [] : ["--supervised", "--state-file", join(folder, "state.json")];
    const child = spawn(process.execPath, [await builtScript(name), ...args], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: { ...env, SESSION_SECRET: config.session.secret },
    });
    const ended = once(child, "exit", { signal: AbortSignal.timeout(20_000) });
    child.disconnect();
    try {
      expect((await ended)[1], "it ends by itself").toBeNull();
    } finally {
      child.kill("SIGKILL");
    }
  },
  60_000,
);
