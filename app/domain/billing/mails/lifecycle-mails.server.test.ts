import { beforeEach, expect, test } from "vitest";
import {
  begin,
  change,
  inDays,
  newest,
  prepareOffer,
  subjects,
} from "#tests/support/billing/stored-subscription.ts";

const MOVED = { cancelAtPeriodEnd: true, canceledAt: inDays(0), renewalEndedBy: "site" } as const;
const WHY = "because this site is changing its payment provider";

beforeEach(prepareOffer);

const textOf = async (email: string) => (await newest(email)).text.replaceAll(/\s+/g, " ");

test("one that the site has ended and that renews after all is not called canceled", async () => {
  const goesOn = { cancelAtPeriodEnd: false, canceledAt: null, renewalEndedBy: null };
  const moved = await begin(MOVED);
  await change(moved.subscription, goesOn);
  expect(await subjects(moved.email)).toEqual(["Peony: Your subscription renews after all"]);
  expect(await textOf(moved.email)).toContain("your subscription continues, and you do not need to");
  expect(await textOf(moved.email)).not.toMatch(/cancellation|undone/);
  const canceled = await begin({ ...MOVED, renewalEndedBy: null });
  await change(canceled.subscription, goesOn);
  expect(await subjects(canceled.email)).toEqual(["Peony: Your subscription continues"]);
  expect(await textOf(canceled.email)).toContain("Your cancellation has been undone");
});

test.each([
  ["on its day", 30, "active", true],
  ["early, by a refund", 3, "active", false],
  ["early, unpaid", 3, "past_due", true],
] as const)(
  "one that the site has ended names that as the reason of an end %s",
  async (_, days, status, isNamed) => {
    const { subscription, email } = await begin({ ...MOVED, status, currentPeriodEnd: inDays(29.9) });
    await change(subscription, { status: "canceled", endedAt: inDays(days) });
    expect(await subjects(email)).toEqual(["Peony: Your subscription has ended"]);
    expect((await textOf(email)).includes(WHY)).toBe(isNamed);
  },
);
