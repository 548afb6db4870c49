import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { estimateBits, secretProblem, splitSecrets } from "./session-secret.ts";

const SAMPLES = 10_000;
const WEAK = "is too easy to guess; make one with openssl rand -hex 32";
const fresh = () => randomBytes(32).toString("hex");

test.each([
  "s".repeat(32),
  `${"s".repeat(31)}t`,
  "abc".repeat(20),
  "abcdefghijklmnopqrstuvwxyz0123456789",
  "0123456789".repeat(4),
  "1234567890abcdef".repeat(4),
  "00112233445566778899aabbccddeeff".repeat(2),
  "deadbeef".repeat(8),
  "aA1!".repeat(16),
  "password".repeat(6),
  "Password1!".repeat(5),
  "qwertyuiopasdfghjklzxcvbnm123456",
  "change-me-change-me-change-me-change-me",
  "your-session-secret-here-at-least-32-characters",
  "At least 32 characters (openssl rand -hex 32).",
  "please-replace-this-secret-with-a-random-one",
])("%s is refused", (secret) => {
  expect(secretProblem(secret)).toBe(WEAK);
  expect(secretProblem(`${fresh()},${secret}`)).toBe(WEAK);
});

test("none of ten thousand secrets of each common maker is refused", () => {
  const makers = {
    "openssl rand -hex 32": fresh,
    "openssl rand -hex 16": () => randomBytes(16).toString("hex"),
    "openssl rand -base64 32": () => randomBytes(32).toString("base64"),
    "openssl rand -base64 24": () => randomBytes(24).toString("base64"),
  };
  for (const [name, make] of Object.entries(makers)) {
    const refused = Array.from({ length: SAMPLES }, make).filter((secret) => secretProblem(secret) !== null);
    expect(refused, name).toEqual([]);
  }
});

test("random secrets and patterned ones have clearly different estimates", () => {
  expect(estimateBits(fresh())).toBeGreaterThan(120);
  expect(estimateBits("password".repeat(8))).toBeLessThan(10);
});

test("one or two different values are accepted, each long enough", () => {
  const [one, two, three] = [fresh(), fresh(), fresh()];
  for (const good of [one, `${one},${two}`, `${one}, ${two}`, `${one} , ${two}`]) {
    expect(secretProblem(good)).toBeNull();
  }
  expect(splitSecrets(`${one}, ${two}`)).toEqual([one, two]);
  const howMany = "must be one secret or, while one is replaced, the new one, a comma and the old one";
  expect(secretProblem(`${one},${two},${three}`)).toBe(howMany);
  expect(secretProblem(`${one},${one}`)).toBe(howMany);
  for (const short of [`${one},`, `,${one}`, one.slice(0, 31), `${one},${two.slice(0, 31)}`]) {
    expect(secretProblem(short)).toBe("must have at least 32 characters");
  }
});
