import type { InspectedVideo } from "./inspect.server.ts";
import type { Track } from "./tracks.ts";

/** Above it ffmpeg knows no usual places. */
const MOST_KNOWN_CHANNELS = 8;
/** Of ffmpeg's filter. */
export const MAX_CHANNELS = 64;

export function isMixedEvenly({ channels = 0, channel_layout = "unknown" }: Track): boolean {
  return channels > MOST_KNOWN_CHANNELS && channel_layout === "unknown";
}

/** Chooses a track of ffmpeg's input `number` and filters it, as stereo. */
export function audioInput(
  { tracks }: Pick<InspectedVideo, "tracks">,
  index: number,
  filters: string,
  number = 0,
): string[] {
  const track = tracks.find((each) => each.index === index);
  const mixed = track && isMixedEvenly(track) ? [evenMix(track)] : [];
  return ["-map", `${number}:${index}`, "-af", [...mixed, filters].join()];
}

function evenMix({ channels = 0 }: Track): string {
  const all = Array.from({ length: channels }, (_, channel) => `c${channel}`).join("+");
  return `pan=stereo|c0<${all}|c1<${all}`;
}
