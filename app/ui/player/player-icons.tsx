import IconAdjustmentsHorizontal from "@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs";
import IconBadgeCc from "@tabler/icons-react/dist/esm/icons/IconBadgeCc.mjs";
import IconGauge from "@tabler/icons-react/dist/esm/icons/IconGauge.mjs";
import IconKeyboard from "@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs";
import IconPictureInPicture from "@tabler/icons-react/dist/esm/icons/IconPictureInPicture.mjs";
import IconPlayerSkipForward from "@tabler/icons-react/dist/esm/icons/IconPlayerSkipForward.mjs";
import IconVolume from "@tabler/icons-react/dist/esm/icons/IconVolume.mjs";
import { decorative } from "../parts/icons.tsx";

const SIZE = 18;

export const SizeIcon = decorative(IconAdjustmentsHorizontal, SIZE);
export const SpeedIcon = decorative(IconGauge, SIZE);
export const CaptionsIcon = decorative(IconBadgeCc, SIZE);
export const AudioIcon = decorative(IconVolume, SIZE);
export const PictureInPictureIcon = decorative(IconPictureInPicture, SIZE);
export const NextVideoIcon = decorative(IconPlayerSkipForward, SIZE);
export const KeyboardIcon = decorative(IconKeyboard, SIZE);
