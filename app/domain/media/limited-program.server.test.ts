import { expect, test } from "vitest";
import { runLimited } from "./limited-program.server.ts";

const LIMITS = { memoryKb: 200 * 1024, cpuSeconds: 5, timeoutMs: 20_000 };
const NOTHING = new Uint8Array();

/** Outside V8's heap, as the memory of codecs is. */
const fill = (mb: number) => ["--eval", `Buffer.alloc(${mb} * 1024 * 1024, 1)`];

test("a program may use its allowed memory, whatever Node reserves for itself", async () => {
  const { exitCode, stderr } = await runLimited(fill(150), NOTHING, LIMITS);
  expect([exitCode, stderr]).toEqual([0, ""]);
});

test("a program that takes more is stopped", async () => {
  const { exitCode, stderr } = await runLimited(fill(201), NOTHING, LIMITS);
  expect(exitCode).not.toBe(0);
  expect(stderr).toMatch(/allocat/);
});
