export const SPRITE_WIDTH = 160;
/** Columns of a sheet, and its rows at most. */
export const SPRITES_ACROSS = 10;
export const SPRITES_PER_SHEET = SPRITES_ACROSS * SPRITES_ACROSS;

const LONG_SECONDS = 30 * 60;
const EVERY_SECONDS = { usual: 5, long: 10 };

/** Seconds between two pictures of a video's timeline. */
export function spriteSeconds(seconds: number): number {
  return seconds > LONG_SECONDS ? EVERY_SECONDS.long : EVERY_SECONDS.usual;
}

/** Where a picture is, counted from 0; sheets are numbered from 1, columns and rows from 0. */
export function spritePosition(index: number): { sheet: number; x: number; y: number } {
  const onSheet = index % SPRITES_PER_SHEET;
  return {
    sheet: Math.floor(index / SPRITES_PER_SHEET) + 1,
    x: onSheet % SPRITES_ACROSS,
    y: Math.floor(onSheet / SPRITES_ACROSS),
  };
}

/** Rows of each sheet of a video. */
export function spriteRows(seconds: number): number {
  const count = Math.max(1, Math.ceil(seconds / spriteSeconds(seconds)));
  return Math.min(SPRITES_ACROSS, Math.ceil(count / SPRITES_ACROSS));
}

interface VideoSize {
  width: number;
  height: number;
}

/** The height of one picture. */
export function spriteHeight({ width, height }: VideoSize): number {
  return 2 * Math.max(1, Math.round((SPRITE_WIDTH * height) / width / 2));
}

/**
 * How stored sheets were laid out, all of the same height. They tell it themselves, because the video's own duration may
 * differ by some frames from that of the source which they were made of.
 */
export function layoutOfSheets(
  sheets: { count: number; height: number },
  { seconds, ...size }: VideoSize & { seconds: number },
): { every: number; rows: number; height: number } {
  const { usual, long } = EVERY_SECONDS;
  const isUsual = (sheets.count * SPRITES_PER_SHEET + 1) * usual > seconds;
  const rows = Math.max(1, Math.round(sheets.height / spriteHeight(size)));
  return { every: isUsual ? usual : long, rows, height: sheets.height / rows };
}
