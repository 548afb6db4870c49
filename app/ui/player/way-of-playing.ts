import { couldNotDecode, hasFailed, reload, unload } from "./video-element.ts";

export interface Ladder {
  /** The address of the playlist that names all sizes. */
  master: string;
  /** Shorter sides in pixels, and the address of each size's own playlist; the best first. */
  rungs: { quality: number; url: string }[];
  /** So many that a viewer can choose between; 0 where the only one is in every size. */
  soundCount: number;
}

export interface Sound {
  language: string;
  /** Two sounds of one language differ by it alone. */
  label: string;
}

/** A small request that the site answers as it would the player; the limits of requests and videos do not count a HEAD. */
export interface Probe {
  url: string;
  range: string | null;
  /** GET without one. */
  method?: "GET" | "HEAD";
}

/** The part that requests the bytes of a video: Media Source, the browser's own HLS, or a progressive MP4. */
export interface WayOfPlaying {
  /** Shorter sides in pixels, the best first; empty where links choose the size. */
  qualities: number[];
  /** Null leaves it to the player. */
  chooseQuality: (quality: number | null) => void;
  sounds: Sound[];
  /** By its label. */
  chooseSound: (label: string) => void;
  /** Loads again, at the same second and speed. */
  loadAgain: () => void;
  /** Until it loads again: the site has refused the video. */
  stopLoading: () => void;
  /** Bytes so far of what is being loaded; null where only the video's own events tell. */
  loadedBytes: () => number | null;
  probe: () => Probe;
  /** The browser could not decode what was loaded. */
  isDamaged: () => boolean;
  end: () => void;
}

/** The progressive MP4s that the page holds. */
export function progressive(player: HTMLVideoElement): WayOfPlaying {
  return {
    ...NO_CHOICE,
    loadAgain: () => reload(player),
    stopLoading() {},
    loadedBytes: () => null,
    // An open range, as the player requests, takes a slot of the viewer. A player that has not failed may hold one itself.
    probe: () => ({
      url: sourceOf(player),
      ...(hasFailed(player) ? { range: "bytes=0-" } : { range: null, method: "HEAD" }),
    }),
    isDamaged: () => couldNotDecode(player),
    end: () => unload(player),
  };
}

/** The browser's own HLS, for browsers without Media Source. */
export function nativeHls(
  player: HTMLVideoElement,
  { master, rungs }: Ladder,
  sounds: Sound[],
): WayOfPlaying {
  let [quality, sound]: [number | null, string | null] = [null, null];
  const load = () =>
    reload(player, () => {
      player.src = address();
    });
  const address = () => {
    const rung = rungs.find((each) => each.quality === quality);
    // With several sounds, the playlist of a size has none of them.
    if (rung && sounds.length === 0) return rung.url;
    const query = new URLSearchParams();
    if (rung) query.set("h", String(rung.quality));
    if (sound) query.set("audio", sound);
    // Safari before 17 does not know their number.
    const text = query.toString();
    return text === "" ? master : `${master}?${text}`;
  };
  return {
    qualities: rungs.map((rung) => rung.quality),
    chooseQuality(chosen) {
      const before = address();
      quality = chosen;
      if (address() !== before || !player.hasAttribute("src")) load();
    },
    sounds,
    chooseSound(chosen) {
      sound = chosen;
      load();
    },
    loadAgain: () => reload(player),
    stopLoading() {},
    loadedBytes: () => null,
    // A playlist takes no slot of the viewer, so it would be sent where the video is refused.
    probe() {
      const rung = rungs.find((each) => each.quality === quality) ?? rungs.at(-1);
      return rung
        ? { url: rung.url.replace(".m3u8", ".mp4"), range: "bytes=0-0" }
        : { url: master, range: null };
    },
    isDamaged: () => couldNotDecode(player),
    end: () => unload(player),
  };
}

const NO_CHOICE = {
  qualities: [],
  chooseQuality() {},
  sounds: [],
  chooseSound() {},
} satisfies Partial<WayOfPlaying>;

function sourceOf(player: HTMLVideoElement): string {
  const sources = [...player.querySelectorAll("source")];
  return ((player.currentSrc || sources.at(-1)?.src) ?? "").replace(/#.*$/, "");
}
