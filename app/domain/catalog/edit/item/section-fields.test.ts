import { expect, test } from "vitest";
import { fieldsOf, parseValues } from "./section-fields.ts";

const BERLIN = "Europe/Berlin";

test.each([
  ["first", "2026-10-25T00:30:00.000Z"],
  ["second", "2026-10-25T01:30:00.000Z"],
])("an end in the %s of two equal hours stays when only the production date is typed", (_, end) => {
  const opened = { producedOn: null, expireAt: end };
  const fields = fieldsOf("dates", opened, BERLIN);
  expect(fields.expireAt).toBe("2026-10-25T02:30");
  expect(parseValues("dates", { ...fields, producedOn: "2026-05-31" }, BERLIN, opened)).toEqual({
    values: { producedOn: "2026-05-31", expireAt: end },
    errors: {},
  });
});

test("a changed or emptied expiry date is read as it was typed", () => {
  const opened = { producedOn: null, expireAt: "2026-10-25T01:30:00.000Z" };
  const read = (expireAt: string) =>
    parseValues("dates", { producedOn: "", expireAt, timeZone: BERLIN }, BERLIN, opened).values.expireAt;
  expect(read("2026-10-25T02:31")).toBe("2026-10-25T00:31:00.000Z");
  expect(read("")).toBeNull();
  const { errors } = parseValues(
    "dates",
    { producedOn: "", expireAt: "soon", timeZone: BERLIN },
    BERLIN,
    opened,
  );
  expect(errors).toHaveProperty("expireAt");
});
