import { expect, test } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

test("repeated work at the end of the line runs once, and other work waits for it", async () => {
  const done: string[] = [];
  const slow = (what: string) => async () => {
    done.push(`${what} begins`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    done.push(`${what} ends`);
    return what;
  };
  const press = (what: string) => oneAtATime("sub_1", what, slow(what));
  const pressed = [press("cancel"), press("cancel"), press("keep"), press("keep"), press("cancel")];
  expect(await Promise.all(pressed)).toEqual(["cancel", "cancel", "keep", "keep", "cancel"]);
  const each = ["cancel", "keep", "cancel"].flatMap((what) => [`${what} begins`, `${what} ends`]);
  expect(done).toEqual(each);
  await press("cancel");
  expect(done).toHaveLength(each.length + 2);
});

test("a failure does not stop the next work, and other ids are not waited for", async () => {
  const failing = oneAtATime("sub_2", "cancel", () => Promise.reject(new Error("unreachable")));
  const next = oneAtATime("sub_2", "keep", async () => "kept");
  const other = oneAtATime("sub_3", "cancel", async () => "cancelled");
  await expect(failing).rejects.toThrow("unreachable");
  expect(await Promise.all([next, other])).toEqual(["kept", "cancelled"]);
});
