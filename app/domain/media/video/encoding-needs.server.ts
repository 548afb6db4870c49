import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { config } from "#app/config.server.ts";

/** The files of videos are made with these. */
const ENCODING_NEEDS = {
  encoders: ["libx264", "aac", "png"],
  filters: [
    ...[
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
    ],
    ...[
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
  ],
};
const LIST_TIMEOUT_MS = 30_000;

/** The names of encoders and filters that this ffmpeg lacks. Throws when it cannot be run. */
export async function listMissing(): Promise<string[]> {
  const list = async (flag: string) =>
    (await promisify(execFile)(config.media.ffmpeg, ["-hide_banner", flag], { timeout: LIST_TIMEOUT_MS }))
      .stdout;
  const missingIn = (text: string, names: string[]) =>
    names.filter((name) => !new RegExp(`^ \\S+ +${name} `, "m").test(text));
  return [
    ...missingIn(await list("-encoders"), ENCODING_NEEDS.encoders),
    ...missingIn(await list("-filters"), ENCODING_NEEDS.filters),
  ];
}
