import { EventEmitter, once } from "node:events";
import Stripe from "stripe";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { guardCalls, newGuard as newGuardFor } from "../calls/circuit-breaker.server.ts";
import { ProviderUnreachable } from "../contract/provider.ts";
import { stripeFaults } from "./faults.ts";

const newGuard = () => newGuardFor(stripeFaults);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hang = async () => {
  throw new Stripe.errors.StripeConnectionError({ message: "timeout", type: "api_error" });
};
const busy = async () => {
  throw new Stripe.errors.StripeAPIError({ message: "busy", type: "api_error", statusCode: 503 });
};
const refuse = async () => {
  throw new Stripe.errors.StripeInvalidRequestError({
    message: "no",
    type: "invalid_request_error",
    statusCode: 404,
  });
};

test("after five consecutive failures no call is made until a later test call succeeds", async () => {
  const callStripe = newGuard();
  let calls = 0;
  const call = (question: () => Promise<string>) =>
    callStripe(() => {
      calls += 1;
      return question();
    }).catch((error) => (error instanceof ProviderUnreachable ? "unreachable" : "thrown"));
  for (const question of [hang, busy, hang, busy, hang]) expect(await call(question)).toBe("unreachable");
  expect(await call(async () => "answered")).toBe("unreachable");
  expect(calls).toBe(5);
  vi.advanceTimersByTime(5_001);
  expect(await call(hang)).toBe("unreachable");
  expect(await call(async () => "answered")).toBe("unreachable");
  expect(calls).toBe(6);
  vi.advanceTimersByTime(5_001);
  expect([await call(async () => "answered"), await call(async () => "again")]).toEqual([
    "answered",
    "again",
  ]);
  expect(calls).toBe(8);
});

test("during the test call all others fail fast, and once it succeeds all are made again", async () => {
  const callStripe = newGuard();
  for (let time = 0; time < 5; time += 1) {
    await expect(callStripe(hang)).rejects.toThrow(ProviderUnreachable);
  }
  vi.advanceTimersByTime(5_001);
  const bell = new EventEmitter();
  const probe = callStripe(async () => String(await once(bell, "answer")));
  let calls = 0;
  const others = [1, 2, 3].map(() =>
    callStripe(async () => {
      calls += 1;
      return "answered";
    }),
  );
  const outcomes = await Promise.all(others.map((other) => other.catch(({ message }) => message)));
  expect(new Set(outcomes)).toEqual(new Set(["Stripe does not answer. Try again later."]));
  expect(calls).toBe(0);
  bell.emit("answer", "back");
  expect([await probe, await callStripe(async () => "answered")]).toEqual(["back", "answered"]);
});

test("a refusal is not a failure, and each guard has its own circuit", async () => {
  const [callStripe, callOther] = [newGuard(), newGuard()];
  for (let time = 0; time < 9; time += 1) await expect(callStripe(refuse)).rejects.toThrow("404");
  expect(await callStripe(async () => "answered")).toBe("answered");
  for (let time = 0; time < 5; time += 1) await expect(callStripe(hang)).rejects.toThrow(ProviderUnreachable);
  await expect(callStripe(async () => "answered")).rejects.toThrow("does not answer");
  expect(await callOther(async () => "answered")).toBe("answered");
});

test("guarded calls share a circuit and get their arguments", async () => {
  const { read, write } = guardCalls({ read: hang, write: async (id: string) => id }, stripeFaults);
  expect(await write("sub_1")).toBe("sub_1");
  for (let time = 0; time < 5; time += 1) await expect(read()).rejects.toThrow(ProviderUnreachable);
  await expect(write("sub_1")).rejects.toThrow(ProviderUnreachable);
});

test("after a refusal of the settings no call is made for an hour, and its reason is repeated", async () => {
  const reason = "The provider rejects the login.";
  const call = newGuardFor({
    ...stripeFaults,
    isWrongSettings: (error) => error instanceof ProviderUnreachable,
    reasonOf: (error) => (error instanceof Error ? error.message : null),
  });
  let calls = 0;
  const login = () =>
    call(async () => {
      calls += 1;
      throw new ProviderUnreachable(reason);
    });
  for (let time = 0; time < 3; time += 1) await expect(login()).rejects.toThrow(reason);
  vi.advanceTimersByTime(3_599_000);
  await expect(login()).rejects.toThrow(reason);
  expect(calls).toBe(1);
  vi.advanceTimersByTime(1_001);
  await expect(login()).rejects.toThrow(reason);
  await expect(login()).rejects.toThrow(reason);
  expect(calls).toBe(2);
  vi.advanceTimersByTime(3_600_001);
  expect([await call(async () => "answered"), await call(async () => "again")]).toEqual([
    "answered",
    "again",
  ]);
});
