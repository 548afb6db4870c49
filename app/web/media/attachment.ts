import { asFileName } from "#app/texts.ts";

/** RFC 6266: the name in ASCII for old clients, and unchanged for the others. */
export function attachment(fileName: string): string {
  const name = asFileName(fileName);
  const ascii = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]|%/g, "_");
  if (ascii === name) return `attachment; filename="${name}"`;
  // encodeURIComponent leaves these, which RFC 8187 does not allow.
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
