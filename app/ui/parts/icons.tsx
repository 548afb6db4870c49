import type { Icon } from "@tabler/icons-react";
import IconAlertCircle from "@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronLeft from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import IconHeart from "@tabler/icons-react/dist/esm/icons/IconHeart.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconMenu from "@tabler/icons-react/dist/esm/icons/IconMenu.mjs";
import IconMoon from "@tabler/icons-react/dist/esm/icons/IconMoon.mjs";
import IconSun from "@tabler/icons-react/dist/esm/icons/IconSun.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";

interface IconProps {
  size?: number;
}

export const MenuIcon = decorative(IconMenu);
export const CloseIcon = decorative(IconX);
export const SunIcon = decorative(IconSun);
export const MoonIcon = decorative(IconMoon);
export const LockIcon = decorative(IconLock);
export const CheckIcon = decorative(IconCheck);
export const PreviousIcon = decorative(IconChevronLeft);
export const NextIcon = decorative(IconChevronRight);
export const DownIcon = decorative(IconChevronDown);
export const DownloadIcon = decorative(IconDownload);
export const ErrorIcon = decorative(IconAlertCircle);

export function HeartIcon({ filled = false }: { filled?: boolean }) {
  return <IconHeart size={20} stroke={1.75} fill={filled ? "currentColor" : "none"} aria-hidden />;
}

export function decorative(Drawing: Icon, usualSize = 20) {
  return ({ size = usualSize }: IconProps) => <Drawing size={size} stroke={1.75} aria-hidden />;
}

const TURNS = [0, 72, 144, 216, 288];

/** The drawing of public/peony.svg, in the current text color. */
export function PeonyMark({ size = 28 }: IconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 64 64"
      fill="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      {TURNS.map((turn) => (
        <path
          key={`outer ${turn}`}
          transform={`rotate(${turn} 32 33)`}
          d="M32 33C20 27 15.5 13.5 32 3.5 48.5 13.5 44 27 32 33z"
          fillOpacity="0.55"
        />
      ))}
      {TURNS.map((turn) => (
        <path
          key={`inner ${turn}`}
          transform={`rotate(${turn + 36} 32 33)`}
          d="M32 33C25.5 29.5 23 21.5 32 15.5 41 21.5 38.5 29.5 32 33z"
        />
      ))}
    </svg>
  );
}
