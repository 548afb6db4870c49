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

/** Where the picture of a second is; sheets are numbered from 1, columns and rows from 0. */
export function positionInSprites(at: number, seconds: number): { sheet: number; x: number; y: number } {
  const index = Math.floor(at / spriteSeconds(seconds));
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
