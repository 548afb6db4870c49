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
