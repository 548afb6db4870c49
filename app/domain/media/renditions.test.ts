import { expect, test } from "vitest";
import { photoWidths } from "./renditions.ts";

test.each([
  [300, [300]],
  [480, [480]],
  [959, [480, 959]],
  [960, [480, 960]],
  [1599, [480, 960, 1599]],
  [2560, [480, 960, 1600, 2560]],
  [3000, [480, 960, 1600, 2560, 3000]],
  [6000, [480, 960, 1600, 2560, 4096]],
])("a photo %i pixels wide keeps its resolution, up to 4096", (original, widths) => {
  expect(photoWidths(original)).toEqual(widths);
});
