import { type Browser, expect, type Page } from "@playwright/test";
import { problemsOfLayout, readToTheEnd, watchShifts } from "./layout.ts";
import { leaveTraces, listOpenPages, listOwnPages, listStudioPages, STALE } from "./pages.ts";
import { addPurchase, enter, letSignInGrowOld, requestCode, signInAsNewSubscriber } from "./people.ts";
import { signInAsNewStaff } from "./studio.ts";

const HEIGHT = 844;
/** Shown only to a browser without a cookie of the site. */
export const WITHOUT_COOKIES = "/no-cookies?for=mail";

export async function walkSignedOut(browser: Browser, widths: number[]): Promise<void> {
  await atEachWidth(browser, widths, async (page, expectGoodLayout) => {
    await page.goto("/enter");
    await expectGoodLayout("/enter");
    for (const path of ["/enter?left=1", WITHOUT_COOKIES]) {
      await page.goto(path);
      await expectGoodLayout(path);
    }
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
}

export async function walkSignedIn(browser: Browser, widths: number[]): Promise<void> {
  await atEachWidth(browser, widths, async (page, expectGoodLayout) => {
    const email = await signInAsNewSubscriber(page);
    for (const path of [...(await listOwnPages(page)), await addPurchase(email)]) {
      await page.goto(path);
      await expectGoodLayout(path);
    }
    await leaveTraces(page);
    for (const path of ["/", "/user/favorites", "/user/favorites?type=photo", "/user/history"]) {
      await page.goto(path);
      await expectGoodLayout(`${path}, not empty`);
    }
    await letSignInGrowOld(email);
    for (const path of STALE) {
      await page.goto(path);
      await expectGoodLayout(`${path}, signed in long ago`);
    }
  });
}

export async function walkStudio(browser: Browser, widths: number[]): Promise<void> {
  await atEachWidth(browser, widths, async (page, expectGoodLayout) => {
    await signInAsNewStaff(page, "owner");
    for (const path of await listStudioPages(page)) {
      await page.goto(path);
      await expectGoodLayout(path);
    }
  });
}

type Look = (page: Page, expectGoodLayout: (what: string) => Promise<void>, width: number) => Promise<void>;

/** Each width has a browser of its own, and all run at once: while pages are read, they mostly wait. */
export async function atEachWidth(browser: Browser, widths: number[], look: Look): Promise<void> {
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
