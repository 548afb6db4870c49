import { expect, test } from "vitest";
import {
  type Asset,
  assetsOfChunk,
  assetsOfRoutes,
  assetTable,
  BYTE_BUDGETS,
  LIGHTBOX_BUDGETS,
  PLAYER_BUDGETS,
  totalOf,
} from "../support/browser-build.ts";

/** The route ids of lists in the build. */
const OPEN_LISTS = ["routes/content.$type._index", "routes/creators._index", "routes/creators.$slug"];
const OWN_LISTS = ["routes/user.favorites", "routes/user.history"];

test.each([...OPEN_LISTS, ...OWN_LISTS])(
  "%s and every list that it prefetches stay within the budget",
  (route) => {
    expectWithinBudget(assetsOfRoutes([...OPEN_LISTS, route]));
  },
);

test("the lightbox adds no more than its budget to the page of a set", () => {
  const page = assetsOfRoutes(["routes/content.photoSet.$slug._index"]);
  expectWithinBudget(assetsOfChunk("lightbox", page), LIGHTBOX_BUDGETS);
});

test.each([
  ["hls.light", PLAYER_BUDGETS.light],
  ["hls", PLAYER_BUDGETS.full],
])("a watch page adds no more than its budget to that of a list where it plays by %s", (build, budget) => {
  const list = assetsOfRoutes(["routes/content.$type._index"]);
  const watch = assetsOfRoutes(["routes/content.video.$slug"]);
  const isNew = ({ path }: Asset) => !list.some((each) => each.path === path);
  const before = [...list, ...watch];
  const added = ["media-source", build].flatMap((name) => assetsOfChunk(name, before));
  expectWithinBudget([...watch.filter(isNew), ...added], budget);
});

function expectWithinBudget(loaded: Asset[], budgets: Partial<typeof BYTE_BUDGETS> = BYTE_BUDGETS): void {
  for (const [kind, budget] of Object.entries(budgets)) {
    const files = loaded.filter(({ path }) => path.endsWith(`.${kind}`));
    expect(files.length, kind).toBeGreaterThan(0);
    expect(totalOf(files), assetTable(files)).toBeLessThanOrEqual(budget);
  }
}
