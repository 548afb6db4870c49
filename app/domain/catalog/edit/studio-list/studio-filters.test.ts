import { expect, test } from "vitest";
import { parseStudioFilters, studioQuery } from "./studio-filters.ts";

test.each([
  "",
  "q=silk&state=expired&type=photoSet&creator=ann&tag=dusk&access=free&problem=noCover&sort=title&direction=desc",
  "sort=publishAt",
  "direction=asc",
])("the address %j is written again as it was read", (query) => {
  const written = Object.entries(studioQuery(parseStudioFilters(new URLSearchParams(query))));
  const chosen = written.filter((entry): entry is [string, string] => entry[1] !== undefined);
  expect(new URLSearchParams(chosen).toString()).toBe(query);
});

test("unknown values count as absent", () => {
  const query = new URLSearchParams(
    "state=lost&type=audio&access=all&problem=rain&sort=size&direction=up&tag=%00",
  );
  expect(parseStudioFilters(query)).toEqual(parseStudioFilters(new URLSearchParams()));
});
