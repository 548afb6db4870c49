import { listMissing } from "./ffmpeg.server.ts";

const ENCODING_NEEDS = {
  encoders: ["libx264", "aac", "png"],
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

/** The names of encoders and filters that this ffmpeg lacks. Throws when it cannot be run. */
export async function listMissingNeeds(): Promise<string[]> {
  const { encoders, filters } = ENCODING_NEEDS;
  return [...(await listMissing("encoders", encoders)), ...(await listMissing("filters", filters))];
}
