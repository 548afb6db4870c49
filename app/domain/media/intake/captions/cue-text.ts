const BREAK = /<br\s*\/?>/gi;
/** Commands of SubStation Alpha and MicroDVD, which editors leave in SubRip. */
const COMMAND = /\{(?:\\|[a-z]:)[^{}]*\}/gi;
/** A tag, or text up to the next that could be one. */
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
const SIGNS: Record<string, string> = { "&quot;": '"', "&apos;": "'" };
const ESCAPED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** The lines of a caption as WebVTT: tags that its format knows stay, everything else is shown as it is written. */
export function cueText(lines: string[], { isWebVtt }: { isWebVtt: boolean }): string {
  const text = isWebVtt ? lines.join("\n") : lines.join("\n").replace(BREAK, "\n").replace(COMMAND, "");
  const clean = text.replace(TAG, (token) => tagOf(token, isWebVtt) ?? shownText(token));
  const shown = clean.split("\n").filter((line) => line.replace(/<[^>]*>/g, "").trim() !== "");
  return shown.map((line) => line.trim()).join("\n");
}

/** Null when it is no tag. */
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
  return text.replace(ENTITY, (sign) => (sign.length === 1 ? escapeSigns(sign) : entityOf(sign)));
}

function entityOf(token: string): string {
  const entity = token.toLowerCase();
  if (ENTITIES.includes(entity)) return entity;
  const number = /^&#(?:x([\da-f]+)|(\d+));$/.exec(entity);
  const code = number ? Number.parseInt(number[1] ?? number[2] ?? "", number[1] ? 16 : 10) : 0;
  if (code >= 32 && code <= 0x10ffff) return escapeSigns(String.fromCodePoint(code));
  return SIGNS[entity] ?? escapeSigns(token);
}

function escapeSigns(text: string): string {
  return text.replace(/[&<>]/g, (sign) => ESCAPED[sign] ?? sign);
}
