import { expect, test } from "vitest";
import { z } from "zod";
import { checkForm } from "./checked-form.server.ts";

const schema = z.object({ name: z.string().trim().max(3, "Too long."), note: z.string().optional() });

test("a form with the schema's fields gives the schema's values", () => {
  const checked = checkForm(formOf([["name", " Ada "]]), schema);
  expect(checked).toMatchObject({ ok: true, value: { name: "Ada" } });
});

test("a refused form keeps the typed values and gives the reason beside each field", () => {
  const checked = checkForm(formOf([["name", " Adam "]]), schema);
  expect(checked.ok).toBe(false);
  expect(checked.refused({})).toMatchObject({
    initialValue: { name: " Adam " },
    error: { name: ["Too long."] },
  });
});

test("an error found after parsing is reported in the same way", () => {
  const checked = checkForm(formOf([["name", "Ada"]]), schema);
  expect(checked.refused({ name: "Taken." })).toMatchObject({
    status: "error",
    initialValue: { name: "Ada" },
    error: { name: ["Taken."] },
  });
});

test.each<[string, string | File]>([
  ["other", "x"],
  ["name", "Eve"],
  ["note", new File(["x"], "note.txt")],
  ["__intent__", "{"],
  ["__state__", new File(["{"], "state.json")],
  ["name[4294967294]", "x"],
  ["constructor.prototype.x", "x"],
])("the whole form is refused because it does not have the field %s", (name, value) => {
  const started = performance.now();
  const checked = checkForm(
    formOf([
      ["name", "Ada"],
      [name, value],
    ]),
    schema,
  );
  expect(checked.ok).toBe(false);
  expect(checked.refused({}).error?.[""]).toEqual([expect.stringMatching(/does not match this page/)]);
  expect(performance.now() - started).toBeLessThan(5_000);
});

function formOf(entries: [string, string | File][]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}
