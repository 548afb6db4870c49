import type { Icon } from "@tabler/icons-react";
import IconFileInfo from "@tabler/icons-react/dist/esm/icons/IconFileInfo.mjs";
import IconMaximize from "@tabler/icons-react/dist/esm/icons/IconMaximize.mjs";
import IconMinimize from "@tabler/icons-react/dist/esm/icons/IconMinimize.mjs";
import IconPlayerPause from "@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";

/** Apart from the icons of all pages, because lists have no room for them. */
export const PlayIcon = decorative(IconPlayerPlay);
export const PauseIcon = decorative(IconPlayerPause);
export const FullScreenIcon = decorative(IconMaximize);
export const LeaveFullScreenIcon = decorative(IconMinimize);
export const PageIcon = decorative(IconFileInfo);

function decorative(Drawing: Icon) {
  return () => <Drawing size={22} stroke={1.75} aria-hidden />;
}
