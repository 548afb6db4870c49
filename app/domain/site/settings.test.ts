import { expect, test } from "vitest";
import { fc } from "#tests/support/seed.ts";
import { PICTURE_FILES } from "./pictures.ts";
import {
  NO_SETTINGS,
  normalizedSettings,
  PICTURE_KINDS,
  SITE_LIMITS,
  SITE_SECTIONS,
  type SiteSetting,
  settingErrors,
} from "./settings.ts";

const TODAY = "2026-11-26";
const names = Object.keys(NO_SETTINGS) as SiteSetting[];

test("each setting has one section, one limit and no value of its own", () => {
  expect(Object.values(SITE_SECTIONS).flat().toSorted()).toEqual(names.toSorted());
  expect(Object.keys(SITE_LIMITS).toSorted()).toEqual(names.toSorted());
  expect(new Set(Object.values(NO_SETTINGS))).toEqual(new Set([""]));
  expect(settingErrors(NO_SETTINGS, TODAY)).toEqual({});
});

test("each kind of picture is a section with files", () => {
  for (const kind of PICTURE_KINDS) {
    expect(SITE_SECTIONS[kind]).toEqual([kind]);
    expect(PICTURE_FILES[kind].length).toBeGreaterThan(0);
  }
});

test("a value that was normalized once stays as it is, and every error is a sentence about its own setting", () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.string({ unit: "grapheme", maxLength: 500 }), (name, text) => {
      const once = normalizedSettings({ [name]: text });
      expect(normalizedSettings(once)).toEqual(once);
      for (const [setting, sentence] of Object.entries(settingErrors(once, TODAY))) {
        expect(setting.replace(/^custodian.*/, "custodian")).toBe(name.replace(/^custodian.*/, "custodian"));
        expect(sentence).toMatch(/\.$/);
      }
    }),
  );
});

test.each<[Partial<Record<SiteSetting, string>>, SiteSetting[]]>([
  [{ siteName: "Lantern" }, []],
  [{ siteName: "x".repeat(61) }, ["siteName"]],
  [{ siteName: "\u2800" }, ["siteName"]],
  [{ headline: "a\u0007b" }, ["headline"]],
  [{ accent: "#d92d72" }, []],
  [{ contactEmail: "Ann <hello@example.com>" }, []],
  [{ contactEmail: "a@example.com, b@example.com" }, ["contactEmail"]],
  [{ timeZone: "+02:00" }, ["timeZone"]],
  [{ accent: "javascript" }, ["accent"]],
  [{ logo: "0123456789abcdef0123456789abcdef" }, []],
  [{ logo: "../secret" }, ["logo"]],
  [{ custodianName: "J. Doe", custodianAddress: "1 Main St.", custodianSince: TODAY }, []],
  [
    { custodianName: "J. Doe", custodianAddress: "", custodianSince: "" },
    ["custodianAddress", "custodianSince"],
  ],
  [
    { custodianName: "J. Doe", custodianAddress: "1 Main St.", custodianSince: "2026-11-27" },
    ["custodianSince"],
  ],
  [
    { custodianName: "J. Doe", custodianAddress: "1 Main St.", custodianSince: "2026-02-30" },
    ["custodianSince"],
  ],
])("the settings %j are refused for %j", (values, refused) => {
  expect(Object.keys(settingErrors(normalizedSettings(values), TODAY)).toSorted()).toEqual(
    refused.toSorted(),
  );
});
