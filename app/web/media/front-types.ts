/** nginx names the type of small files by their ending; the import names the same. */
export const TYPES_BY_ENDING: Record<string, string> = {
  avif: "image/avif",
  webp: "image/webp",
  vtt: "text/vtt; charset=utf-8",
};
