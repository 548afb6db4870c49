import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  DARK_PAGE,
  DARK_RAISED,
  DEFAULT_ACCENT,
  DEFAULT_SHADES,
  LIGHT_PAGE,
} from "#app/domain/site/colors.ts";

const css = readFileSync("app/ui/theme/tokens.css", "utf8");

describe("the colors of the tokens", () => {
  it.each([
    ["pink-6", DEFAULT_ACCENT],
    ["pink-7", DEFAULT_SHADES.link],
    ["pink-4", DEFAULT_SHADES.darkText],
    ["light-page", LIGHT_PAGE],
    ["dark-7", DARK_PAGE],
    ["dark-6", DARK_RAISED],
  ])("--%s is the same in code that cannot read the sheet", (name, hex) => {
    expect(token(name)).toBe(hex);
  });

  it.each([
    ["white on the primary", "#ffffff", "pink-6"],
    ["the accent on the light page", LIGHT_PAGE, "pink-6"],
    ["muted words on the light page", LIGHT_PAGE, "gray-6"],
    ["muted words on sunken light", token("gray-1"), "gray-6"],
    ["success on the light page", LIGHT_PAGE, "green-7"],
    ["the accent on the dark page", DARK_PAGE, "pink-4"],
    ["muted words on the dark page", DARK_PAGE, "dark-2"],
    ["success on the dark page", DARK_PAGE, "green-4"],
  ])("reach 4.5 to 1: %s", (_, ground, name) => {
    expect(contrast(ground, token(name))).toBeGreaterThanOrEqual(4.5);
  });
});

describe("Mantine's styles", () => {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" }).map((file) => `app/${file}`);

  it("are loaded by exactly the files that render a component", () => {
    const rendering = files.filter((file) => file.endsWith(".tsx") && file !== "app/root.tsx").map(read);
    for (const source of rendering) {
      expect(source.includes('"#app/ui/theme/mantine.css"'), source.slice(0, 400)).toBe(
        source.includes('from "@mantine/core"'),
      );
    }
  });
});

function token(name: string): string {
  return new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(css)?.[1] ?? "";
}

function read(file: string): string {
  return readFileSync(file, "utf8");
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The WCAG definition. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
