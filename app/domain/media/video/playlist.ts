export interface Segment {
  seconds: number;
  bytes: number;
}

export interface MasterEntry {
  url: string;
  width: number;
  height: number;
  bandwidth: number;
  codecs: string;
}

export interface AudioEntry {
  url: string;
  language: string;
  label: string;
  bandwidth: number;
  codecs: string;
}

export const PLAYLIST_TYPE = "application/vnd.apple.mpegurl";

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

export function bandwidthOf(segments: readonly Segment[]): number {
  return Math.ceil(Math.max(...segments.map(({ bytes, seconds }) => (bytes * 8) / seconds)));
}

const AUDIO_GROUP = "audio";
/** Captions inside a picture would double those in files. */
const NO_CAPTIONS = "CLOSED-CAPTIONS=NONE";

export function masterPlaylist(
  entries: readonly MasterEntry[],
  audioTracks: readonly AudioEntry[] = [],
): string {
  const media = audioTracks.map(({ url, language, label }, at) => {
    const spoken = language === "und" ? "" : `,LANGUAGE="${language}"`;
    const choice = `DEFAULT=${at === 0 ? "YES" : "NO"},AUTOSELECT=YES`;
    return `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${AUDIO_GROUP}",NAME="${audioName(label)}"${spoken},${choice},URI="${url}"`;
  });
  const most = Math.max(0, ...audioTracks.map(({ bandwidth }) => bandwidth));
  const group = audioTracks.length > 0 ? `,AUDIO="${AUDIO_GROUP}"` : "";
  const lines = entries.flatMap(({ url, width, height, bandwidth, codecs }) => {
    const named = [codecs, ...new Set(audioTracks.map((track) => track.codecs))].join(",");
    const size = `RESOLUTION=${width}x${height}`;
    return [
      `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth + most},${size},CODECS="${named}"${group},${NO_CAPTIONS}`,
      url,
    ];
  });
  return ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS", ...media, ...lines, ""].join("\n");
}

/** Labels come from strangers' files, and a quoted string of a playlist may hold neither quotes nor line ends. */
export function audioName(label: string): string {
  return label.replace(/[\s"\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
