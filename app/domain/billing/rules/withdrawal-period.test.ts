import { expect, test } from "vitest";
import { isWithdrawable, withdrawalEnd } from "./withdrawal-period.ts";

test("the day of the contract does not count, and the whole fourteenth day after it does", () => {
  for (const time of ["00:00:00", "14:05:00", "23:59:59"]) {
    const madeAt = new Date(`2026-12-07T${time}Z`);
    expect(withdrawalEnd(madeAt)).toBe("the end of 21 December 2026 (UTC)");
    expect(isWithdrawable(madeAt, madeAt)).toBe(true);
    expect(isWithdrawable(madeAt, new Date("2026-12-21T23:59:59.999Z"))).toBe(true);
    expect(isWithdrawable(madeAt, new Date("2026-12-22T00:00:00Z"))).toBe(false);
  }
});
