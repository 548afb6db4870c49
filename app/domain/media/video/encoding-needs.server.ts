import { listMissing } from "./ffmpeg.server.ts";

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
    "pad",
    "scale",
    "setparams",
    "setpts",
    "setsar",
    "thumbnail",
    "tile",
    "tonemap",
    "tpad",
    "trim",
    "volume",
    "zscale",
  ],
};

/** The names of encoders, decoders and filters that this ffmpeg lacks. Throws when it cannot be run. */
export async function listMissingNeeds(): Promise<string[]> {
  const kinds = ["encoders", "decoders", "filters"] as const;
  return (await Promise.all(kinds.map((kind) => listMissing(kind, ENCODING_NEEDS[kind])))).flat();
}
