import type { CSSProperties } from "react";
import type { AccentColors } from "#app/domain/site/colors.ts";

/** For a style attribute, which our policy allows without a nonce. The scale keeps its name, whatever its hue. */
export function accentStyle(
  accent: AccentColors | undefined,
  scheme: "light" | "dark",
): CSSProperties | undefined {
  if (accent === undefined) return undefined;
  const steps = accent.steps.map((color, step) => [`--pink-${step}`, color]);
  const { text, soft, fill, fillHover } = accent.dark;
  const dark = {
    "--color-accent": text,
    "--color-accent-soft": soft,
    "--color-fill": fill,
    "--color-fill-hover": fillHover,
  };
  return { ...Object.fromEntries(steps), ...(scheme === "dark" ? dark : {}) };
}
