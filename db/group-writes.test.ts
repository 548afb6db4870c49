import { expect, test } from "vitest";
import { groupWrites } from "./group-writes.ts";

/** Statements take some milliseconds, and fail when they have an item of `failing`. */
function recorded(failing: Record<string, unknown> = {}) {
  const statements: string[][] = [];
  const save = groupWrites<string, string>({
    keyOf: (item) => item.slice(0, 1),
    async write(items) {
      statements.push(items);
      await new Promise((resolve) => setTimeout(resolve, 5));
      for (const item of items) if (item in failing) throw failing[item];
      return items.map((item) => `${item}!`);
    },
  });
  return { statements, save };
}

test("items that arrive during a statement are written by the next one, each key once and in order", async () => {
  const { statements, save } = recorded();
  expect(await Promise.all(["a1", "b1", "c1", "b2", "b3", "a2"].map(save))).toEqual([
    "a1!",
    "b1!",
    "c1!",
    "b2!",
    "b3!",
    "a2!",
  ]);
  expect(statements).toEqual([["a1"], ["b1", "c1", "a2"], ["b2"], ["b3"]]);
  expect(await save("d1")).toBe("d1!");
});

test("a statement has at most a hundred items", async () => {
  const { statements, save } = recorded();
  await Promise.all(Array.from({ length: 250 }, (_, index) => save(String.fromCharCode(0x4e00 + index))));
  expect(statements.map((items) => items.length)).toEqual([1, 100, 100, 49]);
});

test.each([{ code: "23503" }, { cause: { code: "22P02" } }, { cause: { code: "40P01" } }])(
  "an item that the database refuses with %o fails alone",
  async (error) => {
    const { statements, save } = recorded({ c1: error });
    const settled = await Promise.allSettled(["a1", "b1", "c1", "d1"].map(save));
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(settled[2]).toMatchObject({ reason: error });
    expect(statements.slice(0, 2)).toEqual([["a1"], ["b1", "c1", "d1"]]);
    expect(statements.slice(2).sort()).toEqual([["b1"], ["c1"], ["d1"]]);
  },
);

test("while an item waits for a lock, others are written, and those of its key come after it", async () => {
  const written: string[] = [];
  let unlock = () => {};
  const locked = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  const save = groupWrites<string, string>({
    keyOf: (item) => item.slice(0, 1),
    async write(items) {
      if (items.length > 1 && items.includes("b1")) throw { code: "55P03" };
      if (items.includes("b1")) await locked;
      written.push(...items);
      return items;
    },
  });
  const first = ["a1", "b1", "c1", "b2"].map(save);
  await Promise.all([first[0], first[2]]);
  await Promise.all(["c2", "d1"].map(save));
  expect(written).toEqual(["a1", "c1", "c2", "d1"]);
  unlock();
  await Promise.all(first);
  expect(written.slice(4)).toEqual(["b1", "b2"]);
});

test("all items of a statement fail when the database does not answer, and later ones are tried again", async () => {
  const failing: Record<string, unknown> = { c1: { code: "ECONNREFUSED" } };
  const { statements, save } = recorded(failing);
  const settled = await Promise.allSettled(["a1", "b1", "c1"].map(save));
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  delete failing.c1;
  expect(await save("c1")).toBe("c1!");
  expect(statements).toHaveLength(3);
});
