import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { readToTheEnd } from "../support/browser/layout.ts";
import { listOpenPages } from "../support/browser/pages.ts";
import { enter } from "../support/browser/people.ts";
import { atEachWidth } from "../support/browser/walk-layout.ts";

const LATE_MS = 500;

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
