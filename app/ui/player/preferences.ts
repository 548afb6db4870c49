/** Chromium's own menu also has 0.25 and 1.75. */
export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;
export const CAPTION_SIZES = ["small", "medium", "large", "huge"] as const;
export const CAPTION_BACKGROUNDS = ["none", "half", "full"] as const;

/** Browsers keep these in localStorage; the site never gets them. */
export interface Preferences {
  volume: number;
  isMuted: boolean;
  speed: number;
  size: number | null;
  captions: string | null;
  lastCaptions: string | null;
  captionSize: (typeof CAPTION_SIZES)[number];
  captionBackground: (typeof CAPTION_BACKGROUNDS)[number];
  /** With the label, because a language may have several audio tracks. */
  audioLanguage: string | null;
  audioLabel: string | null;
  playsNext: boolean;
  /** Speech input types single keys by mistake: WCAG 2.1.4. */
  takesLetters: boolean;
}

export const FIRST_PREFERENCES: Preferences = {
  volume: 1,
  isMuted: false,
  speed: 1,
  size: null,
  captions: null,
  lastCaptions: null,
  captionSize: "medium",
  captionBackground: "half",
  audioLanguage: null,
  audioLabel: null,
  playsNext: false,
  takesLetters: true,
};

const KEY = "player";

/** `otherwise`: when storage is blocked. Each value is checked, because another version of the site may have stored it. */
export function readPreferences(otherwise = FIRST_PREFERENCES): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Preferences>;
    const read = { ...FIRST_PREFERENCES, ...stored };
    return {
      volume: within(read.volume, 0, 1, FIRST_PREFERENCES.volume),
      isMuted: read.isMuted === true,
      speed: within(read.speed, 0.25, 2, FIRST_PREFERENCES.speed),
      size: typeof read.size === "number" ? read.size : null,
      captions: textIn(read.captions),
      lastCaptions: textIn(read.lastCaptions),
      captionSize: among(CAPTION_SIZES, read.captionSize, FIRST_PREFERENCES.captionSize),
      captionBackground: among(
        CAPTION_BACKGROUNDS,
        read.captionBackground,
        FIRST_PREFERENCES.captionBackground,
      ),
      audioLanguage: textIn(read.audioLanguage),
      audioLabel: textIn(read.audioLabel),
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

/** For the trailer, too, which follows no other preference. */
export function keepVolume(
  player: HTMLVideoElement,
  { volume, isMuted }: Preferences,
  store: (change: Partial<Preferences>) => void,
  signal: AbortSignal,
): void {
  Object.assign(player, { volume, muted: isMuted });
  player.addEventListener("volumechange", () => store({ volume: player.volume, isMuted: player.muted }), {
    signal,
  });
}

function textIn(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function within(value: unknown, least: number, most: number, usual: number): number {
  return typeof value === "number" && value >= least && value <= most ? value : usual;
}

function among<Value extends string>(values: readonly Value[], value: unknown, usual: Value): Value {
  return values.find((each) => each === value) ?? usual;
}
