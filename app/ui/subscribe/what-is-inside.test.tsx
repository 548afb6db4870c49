import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { InsideTotals, type InsideTotalsProps } from "./what-is-inside.tsx";

const NOTHING = { videos: 0, videoSeconds: 0, photoSets: 0, photos: 0, creators: 0 };

function words(totals: Partial<InsideTotalsProps>): string {
  const html = renderToString(<InsideTotals {...NOTHING} {...totals} />);
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

test.each<[Partial<InsideTotalsProps>, string]>([
  [{ creators: 3 }, ""],
  [{ videos: 1, videoSeconds: 8 }, "1 video 1 minute"],
  [{ videos: 1200, videoSeconds: 7200, creators: 1 }, "1,200 videos 2 hours 1 creator"],
  [{ photoSets: 2, photos: 31_000, creators: 8 }, "2 photo sets 31,000 photos 8 creators"],
])("%o is described as %j", (totals, sentence) => {
  expect(words(totals)).toBe(sentence);
});
