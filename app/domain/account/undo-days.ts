export const UNDO_DAYS = 14;
