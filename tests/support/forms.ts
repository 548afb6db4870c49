/** The value of a form field in the markup, still escaped; empty when it has none. */
export function shownValue(page: string, name: string): string {
  return /\svalue="([^"]*)"/.exec(tagOf(page, name))?.[1] ?? "";
}

/** The error message of a field; null when it is not marked as invalid. */
export function problemOf(page: string, name: string): string | null {
  const tag = tagOf(page, name);
  if (!tag.includes('aria-invalid="true"')) return null;
  const [id] = /aria-describedby="([^"]+)"/.exec(tag)?.[1]?.split(" ") ?? [];
  return new RegExp(`\\sid="${id}"[^>]*>([^<]*)<`).exec(page)?.[1] ?? "no description";
}

/** The existing fields that the error summary links to. */
export function summaryOf(page: string): string[] {
  const [, summary = ""] = /role="alert"[^>]*>.*?<ul>(.*?)<\/ul>/.exec(page) ?? [];
  const ids = [...summary.matchAll(/href="#([^"]+)"/g)].map(([, id = ""]) => id);
  return ids.filter((id) => page.includes(`id="${id}"`));
}

export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

function tagOf(page: string, name: string): string {
  const tag = new RegExp(`<(?:input|select)\\b[^>]*\\sname="${name}"[^>]*>`).exec(page)?.[0];
  if (tag === undefined) throw new Error(`The page has no field ${name}`);
  return tag;
}
