import { expect, test } from "vitest";
import { saveNewest } from "./save-newest.ts";

test("presses of one photo are sent one after another, and only the newest", async () => {
  const sent: boolean[] = [];
  const answers: (() => void)[] = [];
  const send = (value: boolean) => {
    sent.push(value);
    return new Promise<null>((resolve) => answers.push(() => resolve(null)));
  };
  const [first, second, third] = [true, false, true].map((value) => saveNewest("photo", value, send));
  expect(sent).toEqual([true]);
  answers[0]?.();
  expect(await Promise.all([first, second, third])).toEqual(Array(3).fill({ error: null, stored: true }));
  expect(sent).toEqual([true]);
  const on = saveNewest("photo", true, send);
  const off = saveNewest("photo", false, send);
  answers[1]?.();
  await Promise.resolve();
  await Promise.resolve();
  answers[2]?.();
  expect([await on, await off]).toEqual(Array(2).fill({ error: null, stored: false }));
  expect(sent).toEqual([true, true, false]);
});

test("a failed press does not undo a newer one, and when the newest fails, the outcome is what the server has", async () => {
  const answers = ["Not saved.", null];
  const send = async () => answers.shift() ?? null;
  const presses = [saveNewest("photo", true, send), saveNewest("photo", false, send)];
  expect(await Promise.all(presses)).toEqual(Array(2).fill({ error: null, stored: false }));
  expect(await saveNewest("photo", true, async () => "Not saved.")).toEqual({
    error: "Not saved.",
    stored: false,
  });
});
