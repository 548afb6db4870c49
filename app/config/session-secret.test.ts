import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { secretProblem, splitSecrets } from "./session-secret.ts";

const fresh = () => randomBytes(32).toString("hex");

test("one or two different values are accepted, each long enough", () => {
  const [one, two, three] = [fresh(), fresh(), fresh()];
  for (const good of [one, `${one},${two}`, `${one}, ${two}`, `${one} , ${two}`]) {
    expect(secretProblem(good)).toBeNull();
  }
  expect(splitSecrets(`${one}, ${two}`)).toEqual([one, two]);
  const howMany = "must be one secret or, while you replace it, the new one, a comma and the old one";
  expect(secretProblem(`${one},${two},${three}`)).toBe(howMany);
  expect(secretProblem(`${one},${one}`)).toBe(howMany);
  for (const short of [`${one},`, `,${one}`, one.slice(0, 31), `${one},${two.slice(0, 31)}`]) {
    expect(secretProblem(short)).toMatch(/^must have at least 32 characters/);
  }
});
