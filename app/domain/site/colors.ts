export interface AccentColors {
  /** 0 is the lightest, 6 the accent itself. */
  steps: string[];
  dark: { text: string; soft: string; fill: string; fillHover: string };
}

export interface ContrastCheck {
  what: string;
  contrast: number;
  needed: number;
}

/** Colors of app/ui/theme/tokens.css, for code that cannot read it; a test compares them. */
export const DEFAULT_ACCENT = "#d92d72";
export const DEFAULT_SHADES = {
  link: "#b91f5e",
  button: DEFAULT_ACCENT,
  darkText: "#f573a6",
  darkFill: DEFAULT_ACCENT,
};
export const LIGHT_PAGE = "#fffdfb";
export const DARK_PAGE = "#1a1a1f";
export const DARK_RAISED = "#25242a";
const WHITE = "#ffffff";
/** WCAG 2.2 AA for text, and for the edge of a button. */
const TEXT_CONTRAST = 4.5;
const EDGE_CONTRAST = 3;
/** Room for rounding to whole steps of a channel. */
const MARGIN = 0.02;
/** Lightness and saturation of each step, as parts of the way from the accent to white or to black. */
const STEPS = [
  { toWhite: 0.93, chroma: 0.12 },
  { toWhite: 0.84, chroma: 0.25 },
  { toWhite: 0.68, chroma: 0.5 },
  { toWhite: 0.49, chroma: 0.8 },
  { toWhite: 0.3, chroma: 1 },
  { toWhite: 0.14, chroma: 1 },
  { toWhite: 0, chroma: 1 },
  { toBlack: 0.15, chroma: 0.92 },
  { toBlack: 0.29, chroma: 0.8 },
  { toBlack: 0.4, chroma: 0.68 },
] as const;

export function parseColor(text: string): string | null {
  const [, digits] = /^#?([0-9a-f]{6})$/i.exec(text.trim()) ?? [];
  return digits === undefined ? null : `#${digits.toLowerCase()}`;
}

/** Shades of the dark mode are as much lighter as their contrast needs. */
export function accentColors(accent: string): AccentColors {
  const own = toLch(accent);
  const steps = STEPS.map((step) => {
    if ("toBlack" in step) return toHex({ ...own, l: own.l * (1 - step.toBlack), c: own.c * step.chroma });
    if (step.toWhite === 0) return accent;
    return toHex({ ...own, l: own.l + (1 - own.l) * step.toWhite, c: own.c * step.chroma });
  });
  const text = lightened(
    steps[4] ?? accent,
    (color) => contrast(color, DARK_RAISED) >= TEXT_CONTRAST + MARGIN,
  );
  const fill = lightened(accent, (color) => contrast(color, DARK_PAGE) >= EDGE_CONTRAST + MARGIN);
  const { l, c, h } = toLch(fill);
  const fillHover = toHex({ l: l * 0.88, c: c * 0.92, h });
  return { steps, dark: { text, soft: mixed(DARK_PAGE, text, 0.14), fill, fillHover } };
}

/** What emails and previews need of an accent; null stands for the default. */
export function shadesOf(accent: AccentColors | null) {
  if (accent === null) return DEFAULT_SHADES;
  const { steps, dark } = accent;
  return { link: steps[7], button: steps[6], darkText: dark.text, darkFill: dark.fill };
}

export function contrastChecks(accent: string): ContrastCheck[] {
  const { dark } = accentColors(accent);
  return [
    { what: "White text on this color", contrast: contrast(accent, WHITE), needed: TEXT_CONTRAST },
    {
      what: "A link in this color on the light page",
      contrast: contrast(accent, LIGHT_PAGE),
      needed: TEXT_CONTRAST,
    },
    {
      what: "A link in its dark-mode shade",
      contrast: contrast(dark.text, DARK_RAISED),
      needed: TEXT_CONTRAST,
    },
    {
      what: "White text on a dark-mode button",
      contrast: contrast(dark.fill, WHITE),
      needed: TEXT_CONTRAST,
    },
    { what: "A button on the dark page", contrast: contrast(dark.fill, DARK_PAGE), needed: EDGE_CONTRAST },
  ];
}

export function contrastError(accent: string): string | null {
  const failed = contrastChecks(accent).filter(({ contrast: has, needed }) => has < needed);
  if (failed.length === 0) return null;
  const figures = failed.map(
    ({ what, contrast: has, needed }) => `${what} has a contrast of ${figure(has)}:1 and needs ${needed}:1.`,
  );
  return `This color is hard to read. ${figures.join(" ")} The nearest color that passes is ${nearestColor(accent)}.`;
}

export function nearestColor(accent: string): string {
  const own = toLch(accent);
  for (let step = 0; step <= 200; step += 1) {
    for (const l of [own.l - step / 200, own.l + step / 200]) {
      const color = step === 0 ? accent : toHex({ ...own, l });
      if (l >= 0 && l <= 1 && isReadableAccent(color)) return color;
    }
  }
  throw new Error(`No shade of ${accent} can be read`);
}

function isReadableAccent(color: string): boolean {
  return contrastChecks(color).every(({ contrast: has, needed }) => has >= needed);
}

/** Cut, not rounded: 4.49 must not read as 4.5. */
function figure(value: number): string {
  return (Math.floor(value * 10) / 10).toFixed(1);
}

export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map(toLinear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function lightened(color: string, isEnough: (color: string) => boolean): string {
  const own = toLch(color);
  for (let l = own.l; l < 1; l += 0.005) {
    const lighter = l === own.l ? color : toHex({ ...own, l });
    if (isEnough(lighter)) return lighter;
  }
  return WHITE;
}

function mixed(ground: string, color: string, share: number): string {
  const [under, over] = [channels(ground), channels(color)];
  return hexOf(under.map((channel, index) => channel + ((over[index] ?? 0) - channel) * share));
}

interface Lch {
  l: number;
  c: number;
  h: number;
}

/** OKLCH (Björn Ottosson, 2020): equal steps of lightness look equal in every hue. */
function toLch(color: string): Lch {
  const [r = 0, g = 0, b = 0] = channels(color).map(toLinear);
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const bb = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return { l, c: Math.hypot(a, bb), h: Math.atan2(bb, a) };
}

/** A color that screens cannot show loses saturation, not lightness. */
function toHex({ l, c, h }: Lch): string {
  for (let chroma = c; ; chroma -= c / 50 + 0.0001) {
    const rgb = linearOf(l, Math.max(0, chroma), h);
    const isShown = rgb.every((channel) => channel >= -0.0005 && channel <= 1.0005);
    if (isShown || chroma <= 0) return hexOf(rgb.map(toGamma));
  }
}

function linearOf(l: number, c: number, h: number): number[] {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
}

function hexOf(values: number[]): string {
  const bytes = values.map((value) => Math.round(Math.min(1, Math.max(0, value)) * 255));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function toLinear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

function toGamma(channel: number): number {
  const bounded = Math.min(1, Math.max(0, channel));
  return bounded <= 0.0031308 ? bounded * 12.92 : 1.055 * bounded ** (1 / 2.4) - 0.055;
}
