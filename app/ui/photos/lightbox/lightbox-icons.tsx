import IconFileInfo from "@tabler/icons-react/dist/esm/icons/IconFileInfo.mjs";
import IconMaximize from "@tabler/icons-react/dist/esm/icons/IconMaximize.mjs";
import IconMinimize from "@tabler/icons-react/dist/esm/icons/IconMinimize.mjs";
import IconPlayerPause from "@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import { decorative } from "#app/ui/parts/icons.tsx";

const SIZE = 22;

/** Not in icons.tsx, which lists load too. */
export const PlayIcon = decorative(IconPlayerPlay, SIZE);
export const PauseIcon = decorative(IconPlayerPause, SIZE);
export const FullScreenIcon = decorative(IconMaximize, SIZE);
export const LeaveFullScreenIcon = decorative(IconMinimize, SIZE);
export const PageIcon = decorative(IconFileInfo, SIZE);
