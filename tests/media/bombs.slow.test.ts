import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { H264, openImport } from "../support/import-folder.ts";

const { folder, ffmpeg, start, rows } = await openImport();

const LOOK_EVERY_MS = 20;
const BOUND_KB = 250 * 1024;
const PICTURES = 60_000_000;

/** Says that an MP4 of one second holds millions of pictures of one byte, all of which ffmpeg would list. */
async function claimPictures(path: string, pictures: number): Promise<void> {
  const bytes = await readFile(path);
  const tableAt = (name: string) => bytes.indexOf(name) + 4;
  bytes.writeUInt32BE(1, tableAt("stsz") + 4);
  bytes.writeUInt32BE(pictures, tableAt("stsz") + 8);
  bytes.writeUInt32BE(pictures, tableAt("stts") + 8);
  bytes.writeUInt32BE(pictures, tableAt("stsc") + 12);
  await writeFile(path, bytes);
}

/** A motion JPEG whose head and first pictures are small. */
function growPictures(path: string, side: number): void {
  const jpeg = (size: string) => {
    const input = ["-f", "lavfi", "-i", `color=size=${size}`, "-frames:v", "1", "-pix_fmt", "yuvj444p"];
    const options = { maxBuffer: 16_000_000 };
    return execFileSync("ffmpeg", ["-v", "error", ...input, "-f", "mjpeg", "pipe:1"], options);
  };
  const [small, large] = [jpeg("320x240"), jpeg(`${side}x${side}`)];
  const input = Buffer.concat([...Array(5).fill(small), ...Array(3).fill(large)]);
  const format = ["-f", "mjpeg", "-framerate", "5", "-i", "pipe:0"];
  execFileSync("ffmpeg", ["-v", "error", "-y", ...format, "-c", "copy", path], { input });
}

/** The most that the process itself took, and the most that one of the programs which it has started took, in kB. */
function watchMemory(pid: number): () => { own: number; started: number } {
  const peak = { own: 0, started: 0 };
  const mostOf = (of: number | string) =>
    Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${of}/status`, "utf8"))?.[1] ?? 0);
  const look = (of: number) => {
    try {
      for (const child of readFileSync(`/proc/${of}/task/${of}/children`, "utf8").trim().split(" ")) {
        if (child === "") continue;
        peak.started = Math.max(peak.started, mostOf(child));
        look(Number(child));
      }
    } catch {
      // It has ended meanwhile.
    }
  };
  const timer = setInterval(() => {
    look(pid);
    if (existsSync(`/proc/${pid}/status`)) peak.own = Math.max(peak.own, mostOf(pid));
  }, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

test("small files that would unpack to gigabytes take little memory, and the next one is imported", async () => {
  await claimPictures(ffmpeg("a index.mp4", [...H264, "-bf", "0"], { audio: false }), PICTURES);
  growPictures(join(folder, "b pictures.avi"), 10_000);
  ffmpeg("c good.mp4", [...H264]);
  const { child, ended } = start();
  onTestFinished(() => void child.kill("SIGKILL"));
  const peakKb = watchMemory(child.pid ?? 0);
  const { output } = await ended;
  expect(output).toMatch(/refused +a index\.mp4: its video track has no pictures/);
  expect(output).toMatch(/warning +b pictures\.avi: damaged in places/);
  expect(await rows()).toMatchObject([{ title: "b pictures", width: 320 }, { title: "c good" }]);
  expect(peakKb().started).toBeGreaterThan(10_000);
  expect(peakKb().started).toBeLessThan(BOUND_KB);
}, 120_000);
