import { expect, test } from "vitest";
import { type Eyes, gridPageAt } from "#app/paths.ts";
import { gridPage } from "./photo-pages.ts";

const photosOf = (count: number) => Array.from({ length: count }, (_, index) => ({ position: index + 1 }));
const pageOf = (count: number, query: string, as?: Eyes) =>
  gridPage(photosOf(count), new URL(`http://localhost/set${query}`), "/set", as);

test("a set of a hundred photos is one page, and a larger one has pages that follow each other", () => {
  expect(pageOf(100, "")).toMatchObject({
    openCount: 100,
    pages: { shown: null, previous: null, next: null },
  });
  const [first, second, last] = ["", "?page=2", "?page=3"].map((query) => pageOf(250, query));
  expect(first?.photos).toHaveLength(100);
  expect(first?.pages).toEqual({
    own: {},
    shown: "Photos 1 to 100 of 250",
    previous: null,
    next: "/set?page=2",
  });
  expect(second?.pages).toEqual({
    own: { page: 2 },
    shown: "Photos 101 to 200 of 250",
    previous: "/set",
    next: "/set?page=3",
  });
  expect(pageOf(250, "?page=2&as=visitor", "visitor").pages).toMatchObject({
    previous: "/set?as=visitor",
    next: "/set?page=3&as=visitor",
  });
  expect(last?.photos.map(({ position }) => position)).toEqual(
    photosOf(250)
      .slice(200)
      .map(({ position }) => position),
  );
});

test("the page of the grid with a photo is known from its index", () => {
  for (const index of [0, 99, 100, 249]) {
    const { page } = gridPageAt(index);
    expect(pageOf(250, `?page=${page}`).photos).toContainEqual({ position: index + 1 });
  }
});

test.each(["?page=99", "?page=99999999999999999999"])("%s is the last page", (query) => {
  expect(pageOf(250, query).pages.shown).toBe("Photos 201 to 250 of 250");
});

test.each(["?page=0", "?page=-1", "?page=none", "?page="])(
  "%s is the first page, also of an empty set",
  (query) => {
    expect(pageOf(250, query).photos[0]?.position).toBe(1);
    expect(pageOf(0, query)).toMatchObject({ photos: [], openCount: 0 });
  },
);
