import { expect, test } from "vitest";
import { readForm, readStaffForm } from "./form-body.server.ts";

test("a form within its limits is accepted", async () => {
  const form = await readForm(formOf([["token", "x".repeat(2_048)]]));
  expect(form.get("token")).toHaveLength(2_048);
});

test.each([
  ["a text that is too long", [["email", `x${" ".repeat(60_000)}x`]]],
  ["too many fields", Array.from({ length: 101 }, () => ["a", ""])],
] as [string, string[][]][])("%s is refused before a schema sees it", async (_, fields) => {
  await expect(readForm(formOf(fields))).rejects.toMatchObject({ status: 413 });
});

test("a studio form can hold a thousand ids and a long description, and is limited too", async () => {
  const fields = Array.from({ length: 1_000 }, () => ["id", "x".repeat(36)]);
  const form = await readStaffForm(formOf([...fields, ["description", "x".repeat(5_000)]]));
  expect(form.getAll("id")).toHaveLength(1_000);
  await expect(readStaffForm(formOf([...fields, ...fields]))).rejects.toMatchObject({ status: 413 });
  await expect(readStaffForm(formOf([["description", "x".repeat(64_001)]]))).rejects.toMatchObject({
    status: 413,
  });
});

function formOf(fields: string[][]): Request {
  return new Request("http://localhost/", { method: "POST", body: new URLSearchParams(fields) });
}
