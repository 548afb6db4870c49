import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { pathWithoutStandIns } from "#tests/support/process/stand-ins.ts";
import { cutFrame } from "./cut-frame.server.ts";
import { DAMAGED, ENDED, runFfmpeg } from "./ffmpeg.server.ts";
import { inputArguments, probeCommand } from "./probe.server.ts";

/** Absent where the kernel does not group sessions. */
const OWN_GROUP = "/proc/self/autogroup";

/** Until the test ends, instead of ffmpeg. */
function useScript(script: string): void {
  const path = join(mkdtempSync(join(tmpdir(), "peony-ffmpeg-")), "ffmpeg");
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  const { ffmpeg } = config.media;
  config.media.ffmpeg = path;
  onTestFinished(() => {
    config.media.ffmpeg = ffmpeg;
  });
}

test("ffmpeg's last lines contain its errors, and no metadata of a file", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "peony-lines-")), "a.mkv");
  execFileSync(config.media.ffmpeg, [
    ...["-v", "error", "-f", "lavfi", "-i", "color=s=64x64:d=1", "-c:v", "libx264"],
    ...["-metadata", "title=Canary one\n[error] Canary two", "-metadata:s:v", "title=Canary three", path],
  ]);
  const heard: string[] = [];
  const failed = runFfmpeg([...inputArguments(path), "-c:v", "none-such", "-f", "null", "-"], 1, {
    onReport: (line) => void heard.push(line),
  });
  const error = await failed.catch((thrown: { lines: string[] }) => thrown);
  expect(heard.join()).toContain("Canary");
  expect((error as { lines: string[] }).lines.join()).toMatch(/none-such/);
  expect((error as { lines: string[] }).lines.join()).not.toMatch(/canary/i);
});

test.each([
  ["is killed", "kill -KILL $$", ENDED],
  ["takes more processor time than it may", "kill -XCPU $$", ENDED],
  ["hears a signal", "exit 255", ENDED],
  ["gets no memory", `echo "[h264 @ 0x1] [error] Cannot allocate memory" >&2; exit 1`, ENDED],
  ["writes more than it may", "kill -XFSZ $$", DAMAGED],
  ["finds a fault in the file", "exit 1", DAMAGED],
  ["finds a fault in the file, from version 6.1 on", "exit 183", DAMAGED],
])("an ffmpeg that %s gives a reason that shows whether the file is to blame", async (_, ending, reason) => {
  useScript(ending);
  await expect(runFfmpeg([], 1, {})).rejects.toThrow(reason);
});

test("the kernel kills programs that read uploads before the database and the site", async () => {
  const said = join(mkdtempSync(join(tmpdir(), "peony-oom-")), "said");
  useScript(`cat /proc/$$/oom_score_adj > "${said}"; echo a picture`);
  await runFfmpeg([], 1, {});
  expect(readFileSync(said, "utf8")).toBe("1000\n");
  writeFileSync(said, "");
  await cutFrame("a.mp4", 0);
  expect(readFileSync(said, "utf8")).toBe("1000\n");
  const { ffprobe } = config.media;
  onTestFinished(() => {
    config.media.ffprobe = ffprobe;
  });
  config.media.ffprobe = "cat";
  const { stdout } = await promisify(execFile)(...probeCommand(["/proc/self/oom_score_adj"]));
  expect(stdout).toBe("1000\n");
});

test("ffmpeg's memory and processor time are limited", async () => {
  const said = join(mkdtempSync(join(tmpdir(), "peony-limits-")), "said");
  useScript(`(ulimit -d; ulimit -t) > "${said}"`);
  await runFfmpeg([], 100, { timeoutFactor: 2 });
  expect(readFileSync(said, "utf8")).toBe(`${4 * 1024 ** 2}\n${100 * 30 * 2 * 4}\n`);
});

test("ffmpeg is stopped when its file grows too large", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "peony-large-")), "large");
  const most = 1024 ** 2;
  const source = ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=10", "-f", "rawvideo", `file:${path}`];
  await expect(runFfmpeg(source, 10, { maxOutputBytes: most })).rejects.toThrow(DAMAGED);
  expect(statSync(path).size).toBeLessThanOrEqual(most);
});

test("ffmpeg is stopped after its time limit, with all that it has started", async () => {
  const said = join(mkdtempSync(join(tmpdir(), "peony-late-")), "said");
  useScript(`sleep 600 & echo "$$ $!" > "${said}"; wait`);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const ended = expect(runFfmpeg([], 60, {})).rejects.toThrow("it took too long to convert");
  while (!existsSync(said) || statSync(said).size === 0) await new Promise(setImmediate);
  vi.advanceTimersByTime(60 * 30 * 1000 - 1);
  // Where nothing collects what has ended, it stays as a zombie.
  const isRunning = (pid: string) =>
    existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  const pids = readFileSync(said, "utf8").trim().split(" ");
  expect(pids.map(isRunning)).toEqual([true, true]);
  vi.advanceTimersByTime(1);
  await ended;
  while (pids.some(isRunning)) await new Promise(setImmediate);
});

test("ffmpeg has a low priority, in the worker and for a cover that somebody waits for", async () => {
  const said = join(mkdtempSync(join(tmpdir(), "peony-nice-")), "said");
  useScript(`nice > "${said}"\ncat ${OWN_GROUP} > "${said}.group" 2>/dev/null\necho a picture`);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("PATH", pathWithoutStandIns());
  const low = `${Math.min(getPriority() + 15, 19)}\n`;
  await runFfmpeg([], 1, {});
  expect(readFileSync(said, "utf8")).toBe(low);
  expect(readFileSync(`${said}.group`, "utf8")).toMatch(existsSync(OWN_GROUP) ? /nice 15\n$/ : /^$/);
  writeFileSync(said, "");
  await cutFrame("a.mp4", 0);
  expect(readFileSync(said, "utf8")).toBe(low);
});
