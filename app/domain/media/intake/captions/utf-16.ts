type Wide = "utf-16le" | "utf-16be";

/** A line end that is read from its second half: nobody uses this letter. */
const SHIFTED = /[\uFFFD\u0A00]/;
const LOST = "\uFFFD";
const MARK = "\uFEFF";

/** By the byte order mark or, without one, by the first character, which is ASCII in both formats of captions. */
export function utf16Of([first, second]: Uint8Array): Wide | null {
  if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : null;
}

/** A lost byte would make another script of all that follows. Where one is, each line begins anew. */
export function decodeUtf16(file: Uint8Array, encoding: Wide): string {
  const decode = (bytes: Uint8Array) => new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  const text = decode(file);
  if (!SHIFTED.test(text)) return withoutMark(text);
  const lines = linesOf(file, encoding === "utf-16le" ? [10, 0] : [0, 10]);
  const pageOf = (letter: string) => letter.charCodeAt(0) >> 8;
  const whole = lines.filter(({ length }) => length % 2 === 0);
  const pages = new Set([0, pageOf(MARK), ...whole.flatMap((line) => decode(line).split("").map(pageOf))]);
  const mended = lines.map((line) => {
    if (line.length % 2 === 0) return decode(line);
    const letters = decode(line).split("");
    const at = letters.findIndex((letter) => letter === LOST || !pages.has(pageOf(letter)));
    return letters.slice(0, at).join("") + LOST + decode(line.subarray(1)).slice(at);
  });
  return withoutMark(mended.join("\n"));
}

function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}

function linesOf(file: Uint8Array, lineEnd: number[]): Uint8Array[] {
  const bytes = Buffer.from(file);
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at >= 0; ) {
    at = bytes.indexOf(Buffer.from(lineEnd), from);
    lines.push(bytes.subarray(from, at < 0 ? bytes.length : at));
    from = at + 2;
  }
  return lines;
}
