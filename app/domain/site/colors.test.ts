import { expect, test } from "vitest";
import { fc } from "#tests/support/seed.ts";
import { accentColors, contrast, contrastChecks, contrastError, nearestColor, parseColor } from "./colors.ts";

const color = fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, "0")}`);
const passes = (hex: string) => contrastChecks(hex).every((pair) => pair.contrast >= pair.needed);

test.each([
  ["#ffffff", "#000000", 21],
  ["#ffffff", "#767676", 4.54],
  ["#d92d72", "#ffffff", 4.6],
  ["#808080", "#808080", 1],
])("the contrast of %s and %s is that of WCAG", (one, other, expected) => {
  expect(contrast(one, other)).toBeCloseTo(expected, 1);
  expect(contrast(other, one)).toBe(contrast(one, other));
});

test("the color of the site as it comes can be read in both modes", () => {
  expect(contrastError("#d92d72")).toBeNull();
});

test("a color that is hard to read is refused with the figures and a color that passes", () => {
  const error = contrastError("#ffc0cb") ?? "";
  expect(error).toMatch(/White text on this color has a contrast of 1\.5:1 and needs 4\.5:1\./);
  const [suggestion] = error.match(/#[0-9a-f]{6}/) ?? [];
  expect(contrastError(suggestion ?? "")).toBeNull();
});

test("the nearest color passes for every color, and is the color itself where that passes", () => {
  fc.assert(
    fc.property(color, (hex) => {
      const nearest = nearestColor(hex);
      expect(passes(nearest)).toBe(true);
      if (passes(hex)) expect(nearest).toBe(hex);
    }),
    { numRuns: 300 },
  );
});

test("the shades of the dark mode can be read whatever the accent", () => {
  fc.assert(
    fc.property(color, (hex) => {
      const accent = nearestColor(hex);
      const { steps, dark } = accentColors(accent);
      expect(steps).toHaveLength(10);
      expect(steps[6]).toBe(accent);
      for (const each of [...steps, ...Object.values(dark)]) expect(each).toMatch(/^#[0-9a-f]{6}$/);
      expect(contrast(dark.text, "#1a1a1f")).toBeGreaterThanOrEqual(4.5);
      // Buttons under the pointer are darker, so their white text is easier to read.
      expect(contrast(dark.fillHover, "#ffffff")).toBeGreaterThanOrEqual(4.5);
      expect(contrast(steps[7] ?? "", "#ffffff")).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["#D92D72", "#d92d72"],
  ["d92d72", "#d92d72"],
  [" #d92d72 ", "#d92d72"],
  ["#fff", null],
  ["red", null],
  ["#d92d72;}", null],
])("%s is read as %s", (text, expected) => {
  expect(parseColor(text)).toBe(expected);
});
