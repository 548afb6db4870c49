import { LINE_END } from "./encoding.ts";

/** SubStation's default for a file without a size. */
const SCREEN = { width: 384, height: 288 };
const BOTTOM = 2;
const FIELDS_BEFORE_WORDS = 9;
const COMMANDS = /\{([^{}]*)\}/g;
const TOKEN = /\\[{}Nnh]|\{[^{}]*\}|[^\\{]+|[\\{]/g;
const TAG = /\\([ibu])(\d+)/g;
/** The WrapStyle of a file whose lines break only at its own line breaks. */
const NO_WRAPPING = 2;
const POINT = /\\(?:pos|move)\(\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)/;

/** Turns events of SubStation Alpha into SubRip, with their positions as {\an}. Drops other commands, drawings and comments. */
export function subStationToSubRip(text: string): string {
  const lines = text.split(LINE_END);
  const places = stylePlaces(lines);
  const screen = {
    width: numberOf(lines, "PlayResX") || SCREEN.width,
    height: numberOf(lines, "PlayResY") || SCREEN.height,
  };
  const softBreak = numberOf(lines, "WrapStyle") === NO_WRAPPING ? "\n" : " ";
  const captions = lines.flatMap((line) => {
    if (!line.startsWith("Dialogue:")) return [];
    const fields = line.split(",");
    const [, start = "", end = "", style = ""] = fields.map((field) => field.trim());
    const words = fields.slice(FIELDS_BEFORE_WORDS).join();
    const place = pointPlace(words, screen) ?? commandPlace(words) ?? places.get(nameOf(style)) ?? BOTTOM;
    return `${start} --> ${end}\n{\\an${place}}${shownWords(words, softBreak)}\n`;
  });
  // Outlines and shadows are second lines of one text.
  return [...new Set(captions)].join("\n");
}

/** A position of the numeric keypad, 1 to 9. The older command \a counts differently. */
export function commandPlace(words: string): number | null {
  for (const [, commands = ""] of words.matchAll(COMMANDS)) {
    const [, keypad, older] = /\\a(?:n([1-9])|(\d{1,2}))/.exec(commands) ?? [];
    if (keypad !== undefined) return Number(keypad);
    if (older !== undefined) return olderPlace(Number(older));
  }
  return null;
}

function olderPlace(value: number): number {
  const row = value & 4 ? 6 : value & 8 ? 3 : 0;
  return row + (value & 3 || BOTTOM);
}

function pointPlace(words: string, screen: typeof SCREEN): number | null {
  const [, x, y] = POINT.exec(words) ?? [];
  if (x === undefined) return null;
  const third = (value: number, whole: number) => Math.min(2, Math.max(0, Math.floor((value * 3) / whole)));
  return 1 + third(Number(x), screen.width) + 3 * (2 - third(Number(y), screen.height));
}

function stylePlaces(lines: string[]): Map<string, number> {
  const places = new Map<string, number>();
  const isOlder = lines.some((line) => /^\[V4 Styles\]/i.test(line));
  let columns: string[] = [];
  for (const line of lines) {
    if (/^\[Events\]/i.test(line)) break;
    const values = line
      .slice(line.indexOf(":") + 1)
      .split(",")
      .map((value) => value.trim());
    if (line.startsWith("Format:")) columns = values;
    if (!line.startsWith("Style:")) continue;
    const value = Number(values[columns.indexOf("Alignment")]);
    const place = isOlder ? olderPlace(value) : value;
    if (place >= 1 && place <= 9) places.set(nameOf(values[columns.indexOf("Name")] ?? ""), place);
  }
  return places;
}

/** Old editors mark their default style with an asterisk. */
function nameOf(style: string): string {
  return style.replace(/^\*/, "");
}

function numberOf(lines: string[], name: string): number {
  const line = lines.find((each) => each.startsWith(`${name}:`));
  return Number(line?.slice(name.length + 1));
}

/** Escapes "<i>", which is text in SubStation and markup in SubRip. */
function shownWords(words: string, softBreak: string): string {
  let isDrawing = false;
  const tokens = [...words.matchAll(TOKEN)].map(([token]) => {
    if (token.length > 1 && token.startsWith("{")) {
      const [, drawing] = /\\p(\d)/.exec(token) ?? [];
      if (drawing !== undefined) isDrawing = drawing !== "0";
      return tagsOf(token);
    }
    if (isDrawing) return "";
    if (token === "\\n") return softBreak;
    return CHARACTERS[token] ?? token.replace(/[&<{]/g, (character) => `&#${character.charCodeAt(0)};`);
  });
  return tokens.join("");
}

const CHARACTERS: Record<string, string> = {
  "\\N": "\n",
  "\\h": "\u00a0",
  "\\{": "&#123;",
  "\\}": "}",
};

function tagsOf(commands: string): string {
  return [...commands.matchAll(TAG)]
    .map(([, name, value]) => `<${value === "0" ? "/" : ""}${name}>`)
    .join("");
}
