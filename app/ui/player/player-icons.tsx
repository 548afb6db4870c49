import type { Icon } from "@tabler/icons-react";
import IconAdjustmentsHorizontal from "@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs";
import IconBadgeCc from "@tabler/icons-react/dist/esm/icons/IconBadgeCc.mjs";
import IconGauge from "@tabler/icons-react/dist/esm/icons/IconGauge.mjs";
import IconKeyboard from "@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs";
import IconPictureInPicture from "@tabler/icons-react/dist/esm/icons/IconPictureInPicture.mjs";
import IconPlayerSkipForward from "@tabler/icons-react/dist/esm/icons/IconPlayerSkipForward.mjs";
import IconVolume from "@tabler/icons-react/dist/esm/icons/IconVolume.mjs";

/** Apart from the icons of all pages, because lists have no room for them. */
export const QualityIcon = decorative(IconAdjustmentsHorizontal);
export const SpeedIcon = decorative(IconGauge);
export const CaptionsIcon = decorative(IconBadgeCc);
export const SoundIcon = decorative(IconVolume);
export const PictureInPictureIcon = decorative(IconPictureInPicture);
export const NextVideoIcon = decorative(IconPlayerSkipForward);
export const KeyboardIcon = decorative(IconKeyboard);

function decorative(Drawing: Icon) {
  return () => <Drawing size={18} stroke={1.75} aria-hidden />;
}
