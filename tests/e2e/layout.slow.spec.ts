import { expect, type Page, test } from "@playwright/test";
import { findViolations } from "../support/browser/accessibility.ts";
import { listOpenPages, listPagesWithout, OWN, STALE, STUDIO } from "../support/browser/pages.ts";
import { enter, signInAsNewSubscriber } from "../support/browser/people.ts";
import {
  atEachWidth,
  WITHOUT_COOKIES,
  walkSignedIn,
  walkSignedOut,
  walkStudio,
} from "../support/browser/walk-layout.ts";

const WIDTHS = [320, 768, 1280];

// These are among the longest tests of all: both workers share them.
test.describe.configure({ mode: "parallel" });

test(`every page fits ${WIDTHS.join(", ")} px and nothing on it moves, signed out`, async ({ browser }) => {
  test.setTimeout(480_000);
  await walkSignedOut(browser, WIDTHS);
});

test(`every page fits ${WIDTHS.join(", ")} px and nothing on it moves, signed in`, async ({ browser }) => {
  test.setTimeout(480_000);
  await walkSignedIn(browser, WIDTHS);
});

test(`every page of the studio fits ${WIDTHS.join(", ")} px and nothing on it moves`, async ({ browser }) => {
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
    ...[
      "text",
      "credits",
      "dates",
      "access",
      "cover",
      "captions",
      "chapters",
      "trailer",
      "photos",
      "files",
    ].map((part) => `/studio/media/1/${part}`),
    "/studio/media/bulk",
    "/studio/creators/1",
    ...["portrait", "merge", "delete"].map((part) => `/studio/creators/1/${part}`),
  ];
  expect(await listPagesWithout(paths)).toEqual([]);
});

/** A phone lies on its side or shows text twice as large; a desktop is wider than the page. */
const WATCH_WIDTHS = [390, 820, 1920];

test(`the pages of a video and of a locked one fit ${WATCH_WIDTHS.join(", ")} px, also with text of 200% and in forced colors`, async ({
  browser,
}) => {
  test.setTimeout(240_000);
  await atEachWidth(browser, WATCH_WIDTHS, async (page, expectGoodLayout, width) => {
    await enter(page);
    await page.goto("/content/video?access=subscriber");
    const link = page.getByRole("article").first().getByRole("heading").getByRole("link");
    const path = (await link.getAttribute("href")) ?? "";
    const look = async (what: string) => {
      await page.goto(path);
      await expectGoodLayout(what);
      await page.emulateMedia({ forcedColors: "active" });
      expect.soft(await findViolations(page), `${what} in forced colors at ${width} px`).toEqual([]);
      await page.emulateMedia({ forcedColors: "none" });
      expect.soft(await overflowOfLargeText(page), `${what}, 200% at ${width} px`).toBe(0);
    };
    await look("locked video");
    await signInAsNewSubscriber(page, path);
    await look("video");
  });
});

/** The pixels by which the page is wider than its window. */
function overflowOfLargeText(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { documentElement } = document;
    documentElement.style.fontSize = "200%";
    return documentElement.scrollWidth - documentElement.clientWidth;
  });
}
