const UNITS = [
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
] as const;

/** "120 GB", "3.4 MB", "7 bytes" */
export function sizeText(bytes: number): string {
  const [size, name] = UNITS.find(([unit]) => bytes >= unit) ?? [1, bytes === 1 ? "byte" : "bytes"];
  const value = bytes / size;
  return `${value.toFixed(size === 1 || value >= 10 ? 0 : 1).replace(/\.0$/, "")} ${name}`;
}
