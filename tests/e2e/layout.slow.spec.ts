import { expect, test } from "@playwright/test";
import { listOpenPages, listPagesWithout, OWN, STALE, STUDIO } from "../support/browser/pages.ts";
import { enter } from "../support/browser/people.ts";
import { WITHOUT_COOKIES, walkSignedIn, walkSignedOut, walkStudio } from "../support/browser/walk-layout.ts";

const WIDTHS = [390, 1280];

// These are among the longest tests of all: both workers share them.
test.describe.configure({ mode: "parallel" });

test(`every page fits ${WIDTHS.join(" and ")} px and nothing on it moves, signed out`, async ({
  browser,
}) => {
  test.setTimeout(480_000);
  await walkSignedOut(browser, WIDTHS);
});

test(`every page fits ${WIDTHS.join(" and ")} px and nothing on it moves, signed in`, async ({ browser }) => {
  test.setTimeout(480_000);
  await walkSignedIn(browser, WIDTHS);
});

test(`every page of the studio fits ${WIDTHS.join(" and ")} px and nothing on it moves`, async ({
  browser,
}) => {
  test.setTimeout(480_000);
  await walkStudio(browser, WIDTHS);
});

test("every page of the site is in the list of pages that are measured and checked", async ({ page }) => {
  await enter(page);
  const paths = [
    "/enter",
    WITHOUT_COOKIES,
    "/signin/code",
    "/subscribe/return",
    ...(await listOpenPages(page)),
    ...OWN,
    ...STALE,
    ...STUDIO,
    "/studio/media/1",
    "/studio/media/bulk",
    "/studio/creators/1",
    "/studio/tags/1",
    "/studio/names/merge",
  ];
  expect(await listPagesWithout(paths)).toEqual([]);
});
