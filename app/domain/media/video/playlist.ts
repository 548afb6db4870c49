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

/** A sound that is a file of its own. */
export interface SoundEntry {
  /** Relative to the master. */
  url: string;
  /** BCP 47. */
  language: string;
  label: string;
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

const SOUNDS = "sounds";
/** Those inside a source's picture would be a second track beside the files of captions. */
const NO_CAPTIONS = "CLOSED-CAPTIONS=NONE";

/** Best size first. `sounds`: separate audio tracks, the default one first; empty when each size contains its own. */
export function masterPlaylist(entries: readonly MasterEntry[], sounds: readonly SoundEntry[] = []): string {
  const media = sounds.map(({ url, language, label }, at) => {
    const spoken = language === "und" ? "" : `,LANGUAGE="${language}"`;
    const choice = `DEFAULT=${at === 0 ? "YES" : "NO"},AUTOSELECT=YES`;
    return `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${SOUNDS}",NAME="${soundName(label)}"${spoken},${choice},URI="${url}"`;
  });
  const most = Math.max(0, ...sounds.map(({ bandwidth }) => bandwidth));
  const group = sounds.length > 0 ? `,AUDIO="${SOUNDS}"` : "";
  const lines = entries.flatMap(({ url, width, height, bandwidth, codecs }) => {
    const named = [codecs, ...new Set(sounds.map((sound) => sound.codecs))].join(",");
    const size = `RESOLUTION=${width}x${height}`;
    return [
      `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth + most},${size},CODECS="${named}"${group},${NO_CAPTIONS}`,
      url,
    ];
  });
  return ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS", ...media, ...lines, ""].join("\n");
}

/** A label comes from a stranger's file, and a quoted text of a playlist may hold neither quotes nor line ends. */
export function soundName(label: string): string {
  return label.replace(/[\s"\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
