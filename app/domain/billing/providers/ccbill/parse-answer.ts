/** What DataLink answers: a code, or the fields of a status. */
export type Answer = { code: number } | { fields: ReadonlyMap<string, string> };

const CODE = /^"?(-?\d{1,3})"?$/;
const ELEMENT = /^<(\w+)>([^<>&]*)<\/\1>\s*/;
const CELL = /^(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/;

/** Reads XML, CSV and a bare code, as the same question is answered in each. Null for anything else. */
export function parseAnswer(text: string): Answer | null {
  const body = text.replace(/^\s*<\?xml[^>]*\?>/, "").trim();
  const [, bare] = CODE.exec(body) ?? [];
  if (bare !== undefined) return { code: Number(bare) };
  const fields = body.startsWith("<") ? readElements(body) : readTable(body);
  return fields && answerOf(fields);
}

/** Quoted cells, in which a quote is doubled. Null for a broken line. */
export function parseCsvLine(line: string): string[] | null {
  const cells: string[] = [];
  for (let rest = line.trim(); ; ) {
    const [cell, quoted, plain = "", end] = CELL.exec(rest) ?? [];
    if (cell === undefined) return null;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "") return cells;
    rest = rest.slice(cell.length);
  }
}

function answerOf(fields: Map<string, string>): Answer | null {
  const [, code] = CODE.exec(fields.get("results") ?? "") ?? [];
  if (code !== undefined && fields.size === 1) return { code: Number(code) };
  return fields.has("subscriptionStatus") ? { fields } : null;
}

/** `<results>` around a code, or around one level of elements. */
function readElements(body: string): Map<string, string> | null {
  const [, inside] = /^<results>([\s\S]*)<\/results>$/.exec(body) ?? [];
  if (inside === undefined) return null;
  if (!inside.includes("<")) return new Map([["results", inside.trim()]]);
  const fields = new Map<string, string>();
  for (let rest = inside.trim(); rest !== ""; ) {
    const [element, name = "", value = ""] = ELEMENT.exec(rest) ?? [];
    if (element === undefined || fields.has(name)) return null;
    fields.set(name, value);
    rest = rest.slice(element.length);
  }
  return fields;
}

/** A line of names and a line of values. */
function readTable(body: string): Map<string, string> | null {
  const [names, values, ...others] = body.split(/\r?\n/).map(parseCsvLine);
  if (!names || !values || others.length > 0 || names.length !== values.length) return null;
  return new Map(names.map((name, index) => [name, values[index] ?? ""]));
}
