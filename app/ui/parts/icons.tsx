interface IconProps {
  size?: number;
  filled?: boolean;
}

/*
 * The paths are those of Tabler Icons (icons-license.txt). Its package has 18,000 files, so only tests install it:
 * decision 216.
 */
export const MenuIcon = icon("M4 8l16 0M4 16l16 0");
export const CloseIcon = icon("M18 6l-12 12M6 6l12 12");
export const SunIcon = icon(
  "M8 12a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M3 12h1m8 -9v1m8 8h1m-9 8v1m-6.4 -15.4l.7 .7m12.1 -.7l-.7 .7m0 11.4l.7 .7m-12.1 -.7l-.7 .7",
);
export const MoonIcon = icon(
  "M12 3c.132 0 .263 0 .393 0a7.5 7.5 0 0 0 7.92 12.446a9 9 0 1 1 -8.313 -12.454l0 .008",
);
export const LockIcon = icon(
  "M5 13a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v6a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-6M11 16a1 1 0 1 0 2 0a1 1 0 0 0 -2 0M8 11v-4a4 4 0 1 1 8 0v4",
);
export const CheckIcon = icon("M5 12l5 5l10 -10");
export const PreviousIcon = icon("M15 6l-6 6l6 6");
export const NextIcon = icon("M9 6l6 6l-6 6");
export const DownIcon = icon("M6 9l6 6l6 -6");
export const DownloadIcon = icon("M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2 -2v-2M7 11l5 5l5 -5M12 4l0 12");
export const ErrorIcon = icon("M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M12 8v4M12 16h.01");
export const HeartIcon = icon("M19.5 12.572l-7.5 7.428l-7.5 -7.428a5 5 0 1 1 7.5 -6.566a5 5 0 1 1 7.5 6.572");

export function icon(path: string, usualSize = 20) {
  return ({ size = usualSize, filled = false }: IconProps) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={filled ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
