import { FILE_LIMITS, largerThan } from "#app/file-limits.ts";
import { decodeCaptions, LINE_END } from "./encoding.ts";
import { commandPlace } from "./substation.ts";

export const TOO_LARGE = `it is ${largerThan(FILE_LIMITS.captions)}`;

/** The message is a reason without the file's name. */
export class CaptionsError extends Error {}

interface CaptionsOptions {
  /** A language tag, from which follows the usual encoding of an older file. */
  language?: string;
  encoding?: string;
}

interface Cue {
  /** Seconds; null when they cannot be read. */
  times: { start: number; end: number } | null;
  settings: string;
  lines: string[];
  line: number;
}

const NUMBER = String.raw`\s*(\d+)\s*`;
const TIME = String.raw`(?:${NUMBER}:)?${NUMBER}:${NUMBER}(?:[.,]\s*(\d+)|:(\d{3}))?`;
const TIMES = new RegExp(String.raw`^${TIME}\s*-{1,3}\s?>\s*${TIME}(?:\s+(\S.*))?$`);
const NO_LENGTH = "it has no length";
const UNREADABLE = "its time cannot be read";
const NO_CAPTIONS = "it contains no captions";
const SUBSTATION =
  "it is SubStation Alpha (ASS or SSA), which can only be read inside videos; save it as SRT or WebVTT";
const MAX_TIMES_LENGTH = 200;
const INVISIBLE = /^[\uFEFF\u200B\u200E\u200F]+/;

/** Reads WebVTT or SubRip as generously as players do. `notes`: what was assumed or left out. Throws a CaptionsError. */
export function toWebVtt(file: Uint8Array, options: CaptionsOptions = {}): { vtt: string; notes: string[] } {
  if (file.length > FILE_LIMITS.captions) throw new CaptionsError(TOO_LARGE);
  const { text, note } = decode(file, options);
  const lines = text
    .replaceAll("\0", "")
    .split(LINE_END)
    .map((line) => line.replace(INVISIBLE, ""));
  const isWebVtt = /^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? "");
  const { header, cues } = readCues(lines, isWebVtt);
  const shown: string[] = [];
  const leftOut: string[] = [];
  for (const { times, settings, line, lines: payload } of cues) {
    const words = cueText(payload, { isWebVtt });
    if (words === "") continue;
    const place = isWebVtt ? settings : placeSettings(payload);
    if (times && times.end > times.start) shown.push(`${format(times, place)}\n${words}`);
    else
      leftOut.push(
        `line ${line} was left out, because ${times ? NO_LENGTH : UNREADABLE}: ${words.slice(0, 60)}`,
      );
  }
  if (shown.length === 0)
    throw new CaptionsError(leftOut[0] ?? (isSubStation(lines) ? SUBSTATION : NO_CAPTIONS));
  return {
    vtt: `${[...header, ...shown].join("\n\n")}\n`,
    notes: note === null ? leftOut : [note, ...leftOut],
  };
}

function isSubStation(lines: string[]): boolean {
  return lines.find((line) => line.trim() !== "")?.trim() === "[Script Info]";
}

function decode(file: Uint8Array, { language = "", encoding }: CaptionsOptions) {
  try {
    return decodeCaptions(file, language, encoding);
  } catch {
    throw new CaptionsError(encoding ? `it is not ${encoding}` : "it is damaged UTF-16");
  }
}

function readCues(lines: string[], isWebVtt: boolean): { header: string[]; cues: Cue[] } {
  const cues: Cue[] = [];
  const head: string[] = [];
  for (const [index, line] of lines.entries()) {
    const open = cues.at(-1)?.lines ?? head;
    const isNamed = isLabel(lines, index - 1, isWebVtt);
    const times = line.length > MAX_TIMES_LENGTH ? null : TIMES.exec(line.trim());
    const isUnreadable = !times && line.includes("-->") && (isNamed || /^\s*-?\d+\s*:/.test(line));
    if (times || isUnreadable) {
      if (isNamed) open.pop();
      const settings = isWebVtt ? ` ${times?.[11] ?? ""}`.trimEnd() : "";
      cues.push({
        times: times && { start: seconds(times, 1), end: seconds(times, 6) },
        settings,
        lines: [],
        line: index + 1,
      });
    } else open.push(line);
  }
  // Comments and other blocks of WebVTT follow a blank line.
  const payload = ({ lines: all }: Cue) => {
    const end = isWebVtt ? all.findIndex((line) => line.trim() === "") : -1;
    return end < 0 ? all : all.slice(0, end);
  };
  return {
    header: isWebVtt ? headerBlocks(head) : ["WEBVTT"],
    cues: cues.map((cue) => ({ ...cue, lines: payload(cue) })),
  };
}

/** A caption's number or, in WebVTT, its name, above its times. */
function isLabel(lines: string[], index: number, isWebVtt: boolean): boolean {
  const line = lines[index]?.trim() ?? "";
  const isFirst = (lines[index - 1] ?? "").trim() === "";
  return /^\d+$/.test(line) || (isWebVtt && isFirst && line !== "" && index > 0);
}

/** A style that loads another file, or could hide that behind an escape. */
const REFERENCE = /url\s*\(|@import|image-set|\\/i;

function headerBlocks(head: string[]): string[] {
  const [title = "WEBVTT", ...blocks] = head.join("\n").split(/\n\s*\n/);
  return [
    title.trim(),
    ...blocks
      .map((block) => block.trim())
      .filter((block) => /^(?:STYLE|REGION)\s/.test(block) && !REFERENCE.test(block)),
  ];
}

/** "00:00:09,9" means 9.9 seconds. */
function seconds(times: RegExpExecArray, from: number): number {
  const [hours = "0", minutes, rest, fraction, colon] = times.slice(from, from + 5);
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(`${rest}.${fraction ?? colon ?? 0}`);
}

/** The position in a command of SubStation, which editors leave in SubRip. */
function placeSettings(lines: string[]): string {
  const place = commandPlace(lines.join("\n"));
  if (place === null) return "";
  const [column, row] = [place % 3, Math.ceil(place / 3)];
  const line = row === 3 ? " line:0" : row === 2 ? " line:50%" : "";
  return line + (column === 1 ? " align:start" : column === 0 ? " align:end" : "");
}

function format({ start, end }: { start: number; end: number }, settings: string): string {
  return `${timestamp(start)} --> ${timestamp(end)}${settings}`;
}

function timestamp(value: number): string {
  const milliseconds = Math.round(value * 1000);
  const pad = (part: number, length = 2) => String(Math.floor(part)).padStart(length, "0");
  const hours = milliseconds >= 3_600_000 ? `${pad(milliseconds / 3_600_000)}:` : "";
  const [minutes, rest] = [(milliseconds / 60_000) % 60, (milliseconds / 1000) % 60];
  return `${hours}${pad(minutes)}:${pad(rest)}.${pad(milliseconds % 1000, 3)}`;
}

const BREAK = /<br\s*\/?>/gi;
/** Commands of SubStation Alpha and MicroDVD, which editors leave in SubRip. */
const COMMAND = /\{(?:\\|[a-z]:)[^{}]*\}/gi;
/** A tag, or the text before what could be the next one. */
const TAG = /<[^<>]*>|[^<]+|</g;
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});|[<>&]/gi;
const CLASSES = String.raw`(?:\.[^\s.<>&]+)*`;
const WEBVTT_TAG = new RegExp(
  `^(?:/?(?:c|i|b|u|v|lang|ruby|rt)|(?:c|i|b|u|ruby|rt)${CLASSES}|(?:v|lang)${CLASSES}\\s[^<>]*)$`,
  "i",
);
const WEBVTT_TIME = /^(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}$/;
const SUBRIP_TAG = /^\/?[ibu]$/i;
const DROPPED_TAG = /^\/?(?:font|s|strike|span)(?:\s[^<>]*)?$/i;
const ENTITIES = ["&amp;", "&lt;", "&gt;", "&nbsp;", "&lrm;", "&rlm;"];
const CHARACTERS: Record<string, string> = { "&quot;": '"', "&apos;": "'" };
const ESCAPED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Keeps known tags, and shows everything else as it is written. */
function cueText(lines: string[], { isWebVtt }: { isWebVtt: boolean }): string {
  const text = isWebVtt ? lines.join("\n") : lines.join("\n").replace(BREAK, "\n").replace(COMMAND, "");
  const clean = text.replace(TAG, (token) => tagOf(token, isWebVtt) ?? shownText(token));
  const shown = clean.split("\n").filter((line) => line.replace(/<[^<>]*>/g, "").trim() !== "");
  return shown.map((line) => line.trim()).join("\n");
}

function tagOf(token: string, isWebVtt: boolean): string | null {
  if (!token.startsWith("<") || !token.endsWith(">")) return null;
  const inner = token.slice(1, -1).trim();
  if (isWebVtt && WEBVTT_TIME.test(inner)) return token;
  if (isWebVtt ? WEBVTT_TAG.test(inner) : SUBRIP_TAG.test(inner)) {
    return `<${inner.replace(/^\/?[a-z]+/i, (name) => name.toLowerCase())}>`;
  }
  return !isWebVtt && DROPPED_TAG.test(inner) ? "" : null;
}

function shownText(text: string): string {
  return text.replace(ENTITY, (token) => (token.length === 1 ? escaped(token) : entityOf(token)));
}

function entityOf(token: string): string {
  const entity = token.toLowerCase();
  if (ENTITIES.includes(entity)) return entity;
  const number = /^&#(?:x([\da-f]+)|(\d+));$/.exec(entity);
  const code = number ? Number.parseInt(number[1] ?? number[2] ?? "", number[1] ? 16 : 10) : 0;
  if (code >= 32 && code <= 0x10ffff) return escaped(String.fromCodePoint(code));
  return CHARACTERS[entity] ?? escaped(token);
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPED[character] ?? character);
}
