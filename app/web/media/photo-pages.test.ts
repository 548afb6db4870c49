import { expect, test } from "vitest";
import { gridPageAt, PHOTOS_A_PAGE, type ViewAs } from "#app/paths.ts";
import { gridPage, gridPageIn } from "./photo-pages.ts";

function pageOf(total: number, query: string, as?: ViewAs) {
  const wanted = gridPageIn(`http://localhost/set${query}`);
  const first = (Math.min(wanted, Math.max(Math.ceil(total / PHOTOS_A_PAGE), 1)) - 1) * PHOTOS_A_PAGE;
  const length = Math.min(PHOTOS_A_PAGE, total - first);
  return gridPage({ photos: Array.from({ length }), total }, wanted, "/set", as);
}

test("a set of a hundred photos is one page, and a larger one has pages that follow each other", () => {
  expect(pageOf(100, "")).toEqual({ own: {}, shown: null, previous: null, next: null });
  const [first, second, last] = ["", "?page=2", "?page=3"].map((query) => pageOf(250, query));
  expect(first).toEqual({ own: {}, shown: "Photos 1 to 100 of 250", previous: null, next: "/set?page=2" });
  expect(second).toEqual({
    own: { page: 2 },
    shown: "Photos 101 to 200 of 250",
    previous: "/set",
    next: "/set?page=3",
  });
  expect(last?.next).toBeNull();
  expect(pageOf(250, "?page=2&as=visitor", "visitor")).toMatchObject({
    previous: "/set?as=visitor",
    next: "/set?page=3&as=visitor",
  });
});

test("a photo's index tells its page of the grid", () => {
  expect([0, 99, 100, 249].map((index) => gridPageAt(index).page)).toEqual([undefined, undefined, 2, 3]);
});

test.each(["?page=99", "?page=99999999999999999999"])("%s is the last page", (query) => {
  expect(pageOf(250, query).shown).toBe("Photos 201 to 250 of 250");
});

test.each(["?page=0", "?page=-1", "?page=none", "?page="])(
  "%s is the first page, also of an empty set",
  (query) => {
    expect(gridPageIn(`http://localhost/set${query}`)).toBe(1);
    expect(pageOf(0, query)).toMatchObject({ shown: null, previous: null, next: null });
  },
);
