import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { config } from "#app/config.server.ts";
import { VideoError } from "./probe.server.ts";

const LIST_TIMEOUT_MS = 30_000;

const ENCODING_NEEDS = {
  encoders: ["libx264", "aac", "png"],
  decoders: ["h264", "hevc", "vp9", "av1"],
  filters: [
    "aformat",
    "alimiter",
    "apad",
    "aresample",
    "bwdif",
    "concat",
    "ebur128",
    "format",
    "fps",
    "idet",
    "join",
    "lutrgb",
    "lutyuv",
    "overlay",
    "pad",
    "pan",
    "scale",
    "setparams",
    "setpts",
    "setsar",
    "split",
    "thumbnail",
    "tile",
    "tonemap",
    "tpad",
    "trim",
    "volume",
    "zscale",
  ],
};

export async function listMissingNeeds(): Promise<string[]> {
  const kinds = ["encoders", "decoders", "filters"] as const;
  return (await Promise.all(kinds.map((kind) => listMissing(kind, ENCODING_NEEDS[kind])))).flat();
}

type Kind = "encoders" | "decoders" | "filters";

export async function listMissing(kind: Kind, names: string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const { stdout } = await promisify(execFile)(config.media.ffmpeg, ["-hide_banner", `-${kind}`], {
    timeout: LIST_TIMEOUT_MS,
  });
  return names.filter((name) => !new RegExp(`^\\s*\\S+\\s+${name}\\s`, "m").test(stdout));
}

export async function requireParts(kind: Kind, names: string[], purpose: string): Promise<void> {
  const missing = await listMissing(kind, names);
  if (missing.length === 0) return;
  throw new VideoError(
    `${purpose} needs ${missing.join(" and ")}, which this ffmpeg lacks: install a build that has it`,
  );
}
