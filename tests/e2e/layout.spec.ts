import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { problemsOfLayout, readToTheEnd, watchShifts } from "../support/browser/layout.ts";
import {
  leaveTraces,
  listOpenPages,
  listOwnPages,
  listPagesWithout,
  OWN,
  STALE,
} from "../support/browser/pages.ts";
import {
  addPurchase,
  enter,
  letSignInGrowOld,
  requestCode,
  signInAsNewSubscriber,
} from "../support/browser/people.ts";

const PAIRS_OF_WIDTHS = [
  [320, 390],
  [768, 1280],
];
const HEIGHT = 844;
const LATE_MS = 500;

// These are the longest tests of all: both workers share them.
test.describe.configure({ mode: "parallel" });

for (const widths of PAIRS_OF_WIDTHS) {
  test(`every page fits ${widths.join(" and ")} px and nothing on it moves, signed out`, async ({
    browser,
  }) => {
    test.setTimeout(480_000);
    await atEachWidth(browser, widths, async (page, expectGoodLayout) => {
      await page.goto("/enter");
      await expectGoodLayout("/enter");
      await page.goto("/enter?left=1");
      await expectGoodLayout("/enter?left=1");
      await enter(page);
      for (const path of await listOpenPages(page)) {
        await page.goto(path);
        await expectGoodLayout(path);
      }
      await requestCode(page);
      // The page is opened by its address like the others. After a redirect, layout may shift long after the press on a
      // slow computer.
      await page.goto("/signin/code");
      await expectGoodLayout("/signin/code");
    });
  });

  test(`every page fits ${widths.join(" and ")} px and nothing on it moves, signed in`, async ({
    browser,
  }) => {
    test.setTimeout(480_000);
    await atEachWidth(browser, widths, async (page, expectGoodLayout) => {
      const email = await signInAsNewSubscriber(page);
      for (const path of [...(await listOwnPages(page)), await addPurchase(email)]) {
        await page.goto(path);
        await expectGoodLayout(path);
      }
      await leaveTraces(page);
      for (const path of ["/", "/user/favorites", "/user/history"]) {
        await page.goto(path);
        await expectGoodLayout(`${path}, not empty`);
      }
      await letSignInGrowOld(email);
      for (const path of STALE) {
        await page.goto(path);
        await expectGoodLayout(`${path}, signed in long ago`);
      }
    });
  });
}

test("every page of the site is in the list of measured pages", async ({ page }) => {
  await enter(page);
  const paths = [
    "/enter",
    "/signin/code",
    "/subscribe/return",
    ...(await listOpenPages(page)),
    ...OWN,
    ...STALE,
  ];
  expect(await listPagesWithout(paths)).toEqual([]);
});

test("nothing moves when the pictures and the typeface come late", async ({ browser }) => {
  test.setTimeout(240_000);
  await atEachWidth(browser, [390, 1280], async (page, _expectGoodLayout, width) => {
    await enter(page);
    const paths = await listOpenPages(page);
    await page.route(/\.(woff2|avif|webp|jpe?g)(\?|$)/, async (route) => {
      await sleep(LATE_MS);
      await route.continue();
    });
    for (const path of paths) {
      await page.goto(path);
      expect.soft(await readToTheEnd(page), `${path} at ${width} px`).toEqual([]);
    }
  });
});

type Look = (page: Page, expectGoodLayout: (what: string) => Promise<void>, width: number) => Promise<void>;

/** Each width has a browser of its own, and all run at once: while pages are read, they mostly wait. */
async function atEachWidth(browser: Browser, widths: number[], look: Look): Promise<void> {
  const lookAt = async (width: number) => {
    const context = await browser.newContext({ viewport: { width, height: HEIGHT } });
    const page = await context.newPage();
    await watchShifts(page);
    const expectGoodLayout = async (what: string) => {
      expect.soft(await problemsOfLayout(page), `${what} at ${width} px`).toEqual([]);
      expect.soft(await readToTheEnd(page), `${what} at ${width} px`).toEqual([]);
    };
    await look(page, expectGoodLayout, width);
    await context.close();
  };
  await Promise.all(widths.map(lookAt));
}
