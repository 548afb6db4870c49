/** Bytes and seconds of a media playlist's segments. */
export interface Segment {
  seconds: number;
  bytes: number;
}

export interface MasterEntry {
  /** Relative to the master. */
  url: string;
  width: number;
  height: number;
  bandwidth: number;
  codecs: string;
}

export const PLAYLIST_TYPE = "application/vnd.apple.mpegurl";

/** Reads what ffmpeg writes for one file with byte ranges. */
export function segmentsOf(playlist: string): Segment[] {
  const segments: Segment[] = [];
  let seconds = 0;
  for (const line of playlist.split("\n")) {
    const [, length] = /^#EXTINF:([\d.]+)/.exec(line) ?? [];
    const [, bytes] = /^#EXT-X-BYTERANGE:(\d+)@/.exec(line) ?? [];
    if (length !== undefined) seconds = Number(length);
    if (bytes !== undefined) segments.push({ seconds, bytes: Number(bytes) });
  }
  return segments;
}

/** Bits per second of the largest segment, as BANDWIDTH says them. */
export function bandwidthOf(segments: readonly Segment[]): number {
  return Math.ceil(Math.max(...segments.map(({ bytes, seconds }) => (bytes * 8) / seconds)));
}

/** The best size first, which is no promise: players begin with what they measure. */
export function masterPlaylist(entries: readonly MasterEntry[]): string {
  const lines = entries.flatMap(({ url, width, height, bandwidth, codecs }) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=${width}x${height},CODECS="${codecs}"`,
    url,
  ]);
  return ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS", ...lines, ""].join("\n");
}
