import { test } from "@playwright/test";
import { walkSignedIn, walkSignedOut } from "../support/browser/walk-layout.ts";

const WIDTHS = [320, 768];

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
