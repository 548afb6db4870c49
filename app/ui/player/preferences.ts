/** Chromium's own menu also has 0.25 and 1.75. */
export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;
export const CAPTION_SIZES = ["small", "medium", "large", "huge"] as const;
export const CAPTION_BACKGROUNDS = ["none", "half", "full"] as const;

/** Browsers keep these in localStorage; the site never gets them. */
export interface Preferences {
  volume: number;
  isMuted: boolean;
  speed: number;
  quality: number | null;
  captions: string | null;
  lastCaptions: string | null;
  captionSize: (typeof CAPTION_SIZES)[number];
  captionBackground: (typeof CAPTION_BACKGROUNDS)[number];
  /** The language of the audio track, and its label, because a language may have several. */
  sound: string | null;
  soundLabel: string | null;
  playsNext: boolean;
  /** Speech input types single keys by mistake: WCAG 2.1.4. */
  takesLetters: boolean;
}

export const FIRST_PREFERENCES: Preferences = {
  volume: 1,
  isMuted: false,
  speed: 1,
  quality: null,
  captions: null,
  lastCaptions: null,
  captionSize: "medium",
  captionBackground: "half",
  sound: null,
  soundLabel: null,
  playsNext: false,
  takesLetters: true,
};

const KEY = "player";

/** `otherwise`: for blocked storage. Another version of the site may have stored the value. */
export function readPreferences(otherwise = FIRST_PREFERENCES): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Preferences>;
    const read = { ...FIRST_PREFERENCES, ...stored };
    return {
      volume: within(read.volume, 0, 1, 1),
      isMuted: read.isMuted === true,
      speed: within(read.speed, 0.25, 2, 1),
      quality: typeof read.quality === "number" ? read.quality : null,
      captions: typeof read.captions === "string" ? read.captions : null,
      lastCaptions: typeof read.lastCaptions === "string" ? read.lastCaptions : null,
      captionSize: among(CAPTION_SIZES, read.captionSize, "medium"),
      captionBackground: among(CAPTION_BACKGROUNDS, read.captionBackground, "half"),
      sound: typeof read.sound === "string" ? read.sound : null,
      soundLabel: typeof read.soundLabel === "string" ? read.soundLabel : null,
      playsNext: read.playsNext === true,
      takesLetters: read.takesLetters !== false,
    };
  } catch {
    return otherwise;
  }
}

export function writePreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {}
}

function within(value: unknown, least: number, most: number, usual: number): number {
  return typeof value === "number" && value >= least && value <= most ? value : usual;
}

function among<Value extends string>(values: readonly Value[], value: unknown, usual: Value): Value {
  return values.find((each) => each === value) ?? usual;
}
