import { expect, test } from "vitest";
import { addressProblems, databaseAddresses } from "./database-addresses.ts";

const POOLED = "postgres://peony@pooler.example:6432/peony";
const DIRECT = "postgres://peony@db.example/peony";

test("without a direct address, everything uses the one that there is", () => {
  expect(databaseAddresses({ DATABASE_URL: DIRECT })).toEqual({ url: DIRECT, directUrl: DIRECT });
  expect(databaseAddresses({})).toEqual({ url: undefined, directUrl: undefined });
});

test("the separate password is that of both addresses, unless one has its own", () => {
  const DATABASE_PASSWORD = "p#w";
  const given = { DATABASE_URL: POOLED, DATABASE_PASSWORD };
  expect(databaseAddresses({ ...given, DATABASE_DIRECT_URL: DIRECT })).toEqual({
    url: `${POOLED}?password=p%23w`,
    directUrl: `${DIRECT}?password=p%23w`,
  });
  const own = "postgres://peony:own@db.example/peony";
  expect(databaseAddresses({ ...given, DATABASE_DIRECT_URL: own }).directUrl).toBe(own);
});

test("a direct address alone is refused, because the site would start a server of its own", () => {
  expect(addressProblems({ DATABASE_DIRECT_URL: DIRECT })).toHaveProperty("DATABASE_DIRECT_URL");
  expect(addressProblems({ DATABASE_URL: POOLED, DATABASE_DIRECT_URL: DIRECT })).toEqual({});
});
