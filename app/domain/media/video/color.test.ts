import { expect, test } from "vitest";
import { colorConversion, isPlainColor, type PictureColor, plainConversion } from "./color.ts";

const SD = { width: 720, height: 576 };
const HD = { width: 1280, height: 720 };

test.each<[PictureColor, boolean]>([
  [{}, true],
  [{ range: "tv", matrix: "bt709", transfer: "bt709", primaries: "bt709" }, true],
  [{ matrix: "smpte170m", transfer: "smpte170m", primaries: "smpte170m" }, true],
  [{ range: "pc" }, false],
  [{ transfer: "smpte2084" }, false],
  [{ primaries: "bt2020" }, false],
  [{ matrix: "bt2020nc" }, false],
])("colors of %o may be copied: %s", (color, isPlain) => {
  expect(isPlainColor(color)).toBe(isPlain);
});

test.each<[string, PictureColor, typeof SD, string]>([
  ["bt601 of SD that says nothing", {}, SD, "bt601"],
  ["bt709 of HD that says nothing", { matrix: "unknown" }, HD, "bt709"],
  ["what HD says", { matrix: "bt470bg" }, HD, "bt601"],
])("the matrix is %s", (_, color, size, matrix) => {
  expect(colorConversion(color, size)).toMatchObject({
    scaling: expect.stringContaining(`in_color_matrix=${matrix}:`),
    required: [],
  });
});

test.each<[string, PictureColor]>([
  ["bt2020", { transfer: "smpte2084", matrix: "bt2020nc" }],
  ["bt2020", { transfer: "arib-std-b67" }],
  ["bt709", { primaries: "smpte432", matrix: "bt709" }],
])("without filters, the matrix is %s for %o", (matrix, color) => {
  expect(plainConversion(color).scaling).toContain(`in_color_matrix=${matrix}:`);
});

test("HDR and wide colors say which filters they need", () => {
  expect(colorConversion({ transfer: "smpte2084" }, HD).required).toEqual(["zscale", "tonemap"]);
  expect(colorConversion({ primaries: "smpte432" }, HD).required).toEqual(["zscale"]);
});
