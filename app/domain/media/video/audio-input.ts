import type { AudioTrack, Track } from "./tracks.ts";

/** With more channels, ffmpeg knows no usual layout. */
const MOST_KNOWN_CHANNELS = 8;

export function isMixedEvenly({ channels = 0, channel_layout = "unknown" }: Track): boolean {
  // ffmpeg knows the name of ambisonics, but cannot mix them.
  if (channel_layout.startsWith("ambisonic")) return true;
  return channels > MOST_KNOWN_CHANNELS && channel_layout === "unknown";
}

/** Takes one track of ffmpeg's input `number`, or the two tracks of its channels, through filters. `output` keeps names apart. */
export function audioInput(
  { tracks, audioTracks }: { tracks: Track[]; audioTracks: AudioTrack[] },
  index: number,
  filters: string,
  { number = 0, output = 0 } = {},
): string[] {
  const right = audioTracks.find((each) => each.index === index)?.right;
  if (right !== undefined)
    return joined([`${number}:${index}`, `${number}:${right}`], filters, `stereo${output}`);
  const track = tracks.find((each) => each.index === index);
  const mixed = track && isMixedEvenly(track) ? [evenMix(track)] : [];
  return ["-map", `${number}:${index}`, "-af", [...mixed, filters].join()];
}

function evenMix({ channels = 0 }: Track): string {
  const all = Array.from({ length: channels }, (_, channel) => `c${channel}`).join("+");
  return `pan=stereo|c0<${all}|c1<${all}`;
}

function joined([left, right]: [string, string], filters: string, name: string): string[] {
  const even = (track: string, side: string) => `[${track}]aresample=async=1:first_pts=0[${side}]`;
  const join = `[left][right]join=inputs=2:channel_layout=stereo,${filters}[${name}]`;
  return ["-filter_complex", [even(left, "left"), even(right, "right"), join].join(";"), "-map", `[${name}]`];
}
