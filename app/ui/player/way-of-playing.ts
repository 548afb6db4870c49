import { couldNotDecode, hasFailed, reload, unload } from "./video-element.ts";

export interface Ladder {
  master: string;
  rungs: { size: number; url: string }[];
  audioTrackCount: number;
}

export interface AudioTrack {
  language: string;
  label: string;
}

/** A small request that the site answers as it answers the player's. HEAD counts for no rate limit and no slot. */
export interface Probe {
  url: string;
  range: string | null;
  method?: "GET" | "HEAD";
}

/** Requests the bytes of a video: Media Source, native HLS, or a progressive MP4. */
export interface WayOfPlaying {
  /** Shorter sides in pixels, largest first; empty where links choose the size. */
  sizes: number[];
  chooseSize: (size: number | null) => void;
  audioTracks: AudioTrack[];
  chooseAudio: (label: string) => void;
  loadAgain: () => void;
  stopLoading: () => void;
  /** Null when only the video's events tell. */
  loadedBytes: () => number | null;
  probe: () => Probe;
  isDamaged: () => boolean;
  end: () => void;
}

export function progressive(player: HTMLVideoElement): WayOfPlaying {
  return {
    ...NO_CHOICE,
    loadAgain: () => reload(player),
    stopLoading() {},
    loadedBytes: () => null,
    // An open range takes a slot, as the player's does. A healthy player may hold one already.
    probe: () => ({
      url: sourceOf(player),
      ...(hasFailed(player) ? { range: "bytes=0-" } : { range: null, method: "HEAD" }),
    }),
    isDamaged: () => couldNotDecode(player),
    end: () => unload(player),
  };
}

export function nativeHls(
  player: HTMLVideoElement,
  { master, rungs }: Ladder,
  audioTracks: AudioTrack[],
): WayOfPlaying {
  let [size, audio]: [number | null, string | null] = [null, null];
  const load = () =>
    reload(player, () => {
      player.src = address();
    });
  const address = () => {
    const rung = rungs.find((each) => each.size === size);
    // With several audio tracks, a size's playlist has none.
    if (rung && audioTracks.length === 0) return rung.url;
    const query = new URLSearchParams();
    if (rung) query.set("h", String(rung.size));
    if (audio) query.set("audio", audio);
    // Safari before 17 lacks URLSearchParams.size.
    const text = query.toString();
    return text === "" ? master : `${master}?${text}`;
  };
  return {
    sizes: rungs.map((rung) => rung.size),
    chooseSize(chosen) {
      const before = address();
      size = chosen;
      if (address() !== before || !player.hasAttribute("src")) load();
    },
    audioTracks,
    chooseAudio(chosen) {
      audio = chosen;
      load();
    },
    loadAgain: () => reload(player),
    stopLoading() {},
    loadedBytes: () => null,
    // Not the playlist, which takes no slot and is served even when the video is refused.
    probe() {
      const rung = rungs.find((each) => each.size === size) ?? rungs.at(-1);
      return rung
        ? { url: rung.url.replace(".m3u8", ".mp4"), range: "bytes=0-0" }
        : { url: master, range: null };
    },
    isDamaged: () => couldNotDecode(player),
    end: () => unload(player),
  };
}

const NO_CHOICE = {
  sizes: [],
  chooseSize() {},
  audioTracks: [],
  chooseAudio() {},
} satisfies Partial<WayOfPlaying>;

function sourceOf(player: HTMLVideoElement): string {
  const sources = [...player.querySelectorAll("source")];
  return ((player.currentSrc || sources.at(-1)?.src) ?? "").replace(/#.*$/, "");
}
