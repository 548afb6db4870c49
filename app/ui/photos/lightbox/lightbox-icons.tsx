import { icon } from "#app/ui/parts/icons.tsx";

const SIZE = 22;

/** Not in icons.tsx, which lists load too. */
export const PlayIcon = icon("M7 4v16l13 -8l-13 -8", SIZE);
export const PauseIcon = icon(
  "M6 6a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1l0 -12M14 6a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1l0 -12",
  SIZE,
);
export const FullScreenIcon = icon(
  "M4 8v-2a2 2 0 0 1 2 -2h2M4 16v2a2 2 0 0 0 2 2h2M16 4h2a2 2 0 0 1 2 2v2M16 20h2a2 2 0 0 0 2 -2v-2",
  SIZE,
);
export const LeaveFullScreenIcon = icon(
  "M15 19v-2a2 2 0 0 1 2 -2h2M15 5v2a2 2 0 0 0 2 2h2M5 15h2a2 2 0 0 1 2 2v2M5 9h2a2 2 0 0 0 2 -2v-2",
  SIZE,
);
export const PageIcon = icon(
  "M14 3v4a1 1 0 0 0 1 1h4M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2M11 14h1v4h1M12 11h.01",
  SIZE,
);
