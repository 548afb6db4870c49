import { setTimeout as sleep } from "node:timers/promises";
import { expect, type Page, test } from "@playwright/test";
import { problemsOfLayout, readToTheEnd, watchShifts } from "./layout.ts";
import { leaveTraces, listOpenPages, listOwnPages, listPagesWithout, OWN } from "./pages.ts";
import { addPurchase, askForCode, enter, signInAsNewSubscriber } from "./people.ts";

const HEIGHT = 844;
const LATE_MS = 500;

for (const width of [320, 390, 768, 1280]) {
  test(`every page fits ${width} px and nothing on it moves, signed out`, async ({ page }) => {
    test.setTimeout(240_000);
    await page.setViewportSize({ width, height: HEIGHT });
    await watchShifts(page);
    await page.goto("/enter");
    await expectGoodLayout(page, "/enter");
    await page.goto("/enter?left=1");
    await expectGoodLayout(page, "/enter?left=1");
    await enter(page);
    for (const path of await listOpenPages(page)) {
      await page.goto(path);
      await expectGoodLayout(page, path);
    }
    await askForCode(page);
    // Opened like the others: a page that another one gives way to moves, on a slow computer long after the press.
    await page.goto("/signin/code");
    await expectGoodLayout(page, "/signin/code");
  });

  test(`every page fits ${width} px and nothing on it moves, signed in`, async ({ page }) => {
    test.setTimeout(240_000);
    await page.setViewportSize({ width, height: HEIGHT });
    await watchShifts(page);
    const email = await signInAsNewSubscriber(page);
    for (const path of [...(await listOwnPages(page)), await addPurchase(email)]) {
      await page.goto(path);
      await expectGoodLayout(page, path);
    }
    await leaveTraces(page);
    for (const path of ["/", "/user/favorites", "/user/history"]) {
      await page.goto(path);
      await expectGoodLayout(page, `${path}, not empty`);
    }
  });
}

test("every page of the site is among those that are looked at", async ({ page }) => {
  await enter(page);
  const paths = ["/enter", "/signin/code", "/subscribe/return", ...(await listOpenPages(page)), ...OWN];
  expect(await listPagesWithout(paths)).toEqual([]);
});

test("nothing moves when the pictures and the typeface come late", async ({ page }) => {
  test.setTimeout(240_000);
  await watchShifts(page);
  await enter(page);
  const paths = await listOpenPages(page);
  await page.route(/\.(woff2|avif|webp|jpe?g)(\?|$)/, async (route) => {
    await sleep(LATE_MS);
    await route.continue();
  });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const path of paths) {
      await page.goto(path);
      expect.soft(await readToTheEnd(page), `${path} at ${width} px`).toEqual([]);
    }
  }
});

async function expectGoodLayout(page: Page, path: string): Promise<void> {
  expect.soft(await problemsOfLayout(page), path).toEqual([]);
  expect.soft(await readToTheEnd(page), path).toEqual([]);
}
