import { expect, test } from "vitest";
import { colorOf, unsupportedDolbyVisionProfile } from "./picture-facts.ts";
import type { Track } from "./tracks.ts";

function dolbyVision(profile: number, base: number, said = "bt2020-10"): Track {
  const facts = { dv_profile: profile, dv_bl_signal_compatibility_id: base };
  return { index: 0, codec_type: "video", color_transfer: said, side_data_list: [facts] };
}

test.each<[string, Track, number | null]>([
  ["5", dolbyVision(5, 0), 5],
  ["10.0", dolbyVision(10, 0), 10],
  ["8.1", dolbyVision(8, 1), null],
  ["8.4", dolbyVision(8, 4), null],
  ["10.1", dolbyVision(10, 1), null],
  ["10.4", dolbyVision(10, 4), null],
  ["none", { index: 0, codec_type: "video" }, null],
])("Dolby Vision profile %s is refused when it has no usable base layer", (_, track, refused) => {
  expect(unsupportedDolbyVisionProfile(track)).toBe(refused);
});

test.each<[string, Track, string]>([
  ["8.4", dolbyVision(8, 4), "arib-std-b67"],
  ["8.1 that says nothing", dolbyVision(8, 1, "unknown"), "smpte2084"],
  ["10.4", dolbyVision(10, 4), "arib-std-b67"],
  ["10.1", dolbyVision(10, 1, "smpte2084"), "smpte2084"],
  ["8.2, which is SDR", dolbyVision(8, 2, "bt709"), "bt709"],
])("the base layer of Dolby Vision %s has the colors that its number names", (_, track, transfer) => {
  expect(colorOf(track).transfer).toBe(transfer);
});
