import { expect, test } from "vitest";
import { unfitTerms } from "./unfit.ts";

const month = { amount: 1499, interval: "month" as const, intervalCount: 1 };
const trial = { amount: 0, interval: "day" as const, intervalCount: 7 };

test("any period can be prepaid, and none can follow a trial", () => {
  for (const renewal of [month, null]) {
    expect(unfitTerms({ currency: "jpy", first: month, renewal })).toBeNull();
  }
  for (const amount of [0, 295]) {
    expect(unfitTerms({ currency: "eur", first: { ...trial, amount }, renewal: month })).toMatch(/renews/);
  }
});
