import { fc } from "#tests/support/seed.ts";

/** The possible actions right after the purchase. */
const EARLY = [
  "nothing",
  "cancel",
  "cancelAndKeep",
  "endNow",
  "refund",
  "refundPart",
  "dispute",
  "failOnce",
  "failForGood",
  "toYearly",
] as const;
/** The possible actions five weeks later. */
const LATE = ["nothing", "cancel", "endNow", "refund", "pay"] as const;

export interface Life {
  plan: "monthly" | "yearly";
  isTrial: boolean;
  early: (typeof EARLY)[number];
  late: (typeof LATE)[number];
  /** The number of times each of its events is sent. */
  repeat: number;
}

/** The expected state, regardless of how its events were delivered. */
export interface State {
  status: "active" | "past_due" | "canceled";
  /** Whether an active subscription ends with its period. */
  isToEnd: boolean;
  plan: Life["plan"];
  /** The number of successful payments. */
  payments: number;
  /** In cents. */
  refunded: number;
}

const CENTS = { monthly: 1_499, yearly: 11_900 };
export const PART = 500;
/**
 * A month has at most 31 days, the second attempt follows after 3, and the first month after a trial ends on day 35
 * at the earliest.
 */
export const DAYS_UNTIL_LATE = 34.5;
/** The last attempt of a payment has failed by then, and no subscription is in a third month. */
export const DAYS_UNTIL_THE_END = 16;

export function sampleLives(count: number, seed: number): Life[] {
  const anyLife = fc.record({
    plan: fc.constantFrom<Life["plan"][]>("monthly", "monthly", "yearly"),
    isTrial: fc.constantFrom(false, false, true),
    early: fc.constantFrom(...EARLY),
    late: fc.constantFrom(...LATE),
    repeat: fc.oneof(
      { weight: 40, arbitrary: fc.constant(1) },
      { weight: 8, arbitrary: fc.integer({ min: 2, max: 4 }) },
      { weight: 1, arbitrary: fc.constant(20) },
    ),
  });
  // Only a paid subscription can be refunded or change its plan.
  const life = anyLife.filter(
    ({ isTrial, plan, early }) =>
      !(isTrial && ["refund", "refundPart", "dispute", "toYearly"].includes(early)) &&
      !(plan === "yearly" && early === "toYearly"),
  );
  return fc.sample(life, { numRuns: count, seed });
}

/** The state after five weeks. */
function stateWhenLate({ plan, isTrial, early }: Life): State {
  const state: State = {
    status: "active",
    isToEnd: early === "cancel",
    plan,
    payments: isTrial ? 0 : 1,
    refunded: 0,
  };
  if (early === "endNow" || early === "dispute") return ended(state);
  if (early === "refund") return ended({ ...state, refunded: CENTS[plan] });
  if (early === "refundPart") state.refunded = PART;
  if (early === "toYearly") return { ...state, plan: "yearly", payments: 2 };
  // A trial has become a first period, and a first month a second one.
  if (!isTrial && plan === "yearly") return state;
  if (state.isToEnd) return ended(state);
  if (early !== "failForGood") return { ...state, payments: state.payments + 1 };
  // All attempts of a trial's first payment are over by then.
  return isTrial ? ended(state) : { ...state, status: "past_due" };
}

/** The late action, or "nothing" where it is impossible in that state. */
export function lateOf(life: Life): Life["late"] {
  const { status } = stateWhenLate(life);
  if (status === "canceled") return "nothing";
  const isPossible = {
    nothing: true,
    cancel: true,
    endNow: true,
    refund: status === "active",
    pay: status !== "active",
  };
  return isPossible[life.late] ? life.late : "nothing";
}

export function finalState(life: Life): State {
  const state = stateWhenLate(life);
  if (state.status === "canceled") return state;
  const late = lateOf(life);
  if (late === "endNow") return ended(state);
  if (late === "refund") {
    const isSamePayment = life.early === "refundPart" && life.plan === "yearly";
    return ended({ ...state, refunded: CENTS[state.plan] + (isSamePayment ? 0 : state.refunded) });
  }
  if (late === "pay") return { ...state, status: "active", payments: state.payments + 1 };
  if (state.status === "past_due") return ended(state);
  if (late === "cancel") state.isToEnd = true;
  // The second month after a trial begins.
  if (!life.isTrial || state.plan === "yearly") return state;
  return state.isToEnd ? ended(state) : { ...state, payments: state.payments + 1 };
}

function ended(state: State): State {
  return { ...state, status: "canceled", isToEnd: false };
}
