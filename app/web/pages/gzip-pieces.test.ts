import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { fc } from "#tests/support/seed.ts";
import { compressPieces, gzipWith } from "./gzip-pieces.ts";

test("any pieces with any gaps unpack to the original text", () => {
  const gap = fc.stringMatching(/^[\w+/=-]{0,64}$/);
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", maxLength: 400 }), { minLength: 1 }),
      gap,
      (texts, filled) => {
        const pieces = compressPieces(texts);
        expect(gunzipSync(gzipWith(pieces, filled)).toString()).toBe(texts.join(filled));
        expect(gunzipSync(gzipWith(pieces, "another")).toString()).toBe(texts.join("another"));
      },
    ),
  );
});

test("a page in pieces is at most a few bytes larger than one compressed at once", () => {
  const text = '<li><a href="/content/video/silk">Silk</a></li>'.repeat(500);
  expect(gzipWith(compressPieces([text, text]), "nonce").length).toBeLessThan(800);
});
