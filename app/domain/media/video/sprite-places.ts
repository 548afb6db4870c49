export const SPRITE_WIDTH = 160;
export const SPRITES_ACROSS = 10;
export const SPRITES_PER_SHEET = SPRITES_ACROSS * SPRITES_ACROSS;

const LONG_SECONDS = 30 * 60;
const EVERY_SECONDS = { usual: 5, long: 10 };

export function spriteSeconds(seconds: number): number {
  return seconds > LONG_SECONDS ? EVERY_SECONDS.long : EVERY_SECONDS.usual;
}

/** Pictures, columns and rows count from 0, sheets from 1. */
export function spritePosition(index: number): { sheet: number; x: number; y: number } {
  const onSheet = index % SPRITES_PER_SHEET;
  return {
    sheet: Math.floor(index / SPRITES_PER_SHEET) + 1,
    x: onSheet % SPRITES_ACROSS,
    y: Math.floor(onSheet / SPRITES_ACROSS),
  };
}

export function spriteCount(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / spriteSeconds(seconds)));
}

export function spriteRows(seconds: number): number {
  return Math.min(SPRITES_ACROSS, Math.ceil(spriteCount(seconds) / SPRITES_ACROSS));
}

interface VideoSize {
  width: number;
  height: number;
}

export function spriteHeight({ width, height }: VideoSize): number {
  return 2 * Math.max(1, Math.round((SPRITE_WIDTH * height) / width / 2));
}

/** Derived from the stored sheets, because the item's duration may differ from its source's by some frames. */
export function layoutOfSheets(
  sheets: { count: number; height: number },
  { seconds, ...size }: VideoSize & { seconds: number },
): { every: number; rows: number; height: number } {
  const { usual, long } = EVERY_SECONDS;
  const isUsual = (sheets.count * SPRITES_PER_SHEET + 1) * usual > seconds;
  const rows = Math.max(1, Math.round(sheets.height / spriteHeight(size)));
  return { every: isUsual ? usual : long, rows, height: sheets.height / rows };
}
