import { expect, test } from "@playwright/test";
import {
  bothModes,
  expectNoViolations,
  expectNoViolationsAt,
  findViolations,
} from "../support/browser/accessibility.ts";
import { withDatabase } from "../support/browser/database.ts";
import { leaveTraces, listOpenPages, listOwnPages, STALE } from "../support/browser/pages.ts";
import {
  addPurchase,
  enter,
  letDeletionBegin,
  letSignInGrowOld,
  linkInOutbox,
  requestCode,
  signInAsNewMember,
  signInAsNewSubscriber,
} from "../support/browser/people.ts";
import { markPhotos, withPhotoSet } from "../support/browser/photo-sets.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { WITHOUT_COOKIES } from "../support/browser/walk-layout.ts";

/** In this order: choosing a color mode is a cookie. */
const GATE = [WITHOUT_COOKIES, "/enter", "/enter?left=1"];

// Color transitions are disabled, so that only final colors are checked.
test.use({ contextOptions: { reducedMotion: "reduce" } });
// The first two are among the longest tests of all: both workers share them.
test.describe.configure({ mode: "parallel" });

test("every page is free of accessibility violations in both modes and at both widths, signed out", async ({
  page,
}) => {
  test.setTimeout(600_000);
  for (const path of GATE) await expectNoViolationsAt(page, path);
  await enter(page);
  for (const path of await listOpenPages(page)) await expectNoViolationsAt(page, path);
  const email = await requestCode(page);
  await expectNoViolations(page, "/signin/code");
  await page.goto(await linkInOutbox(page, email));
  await expect(page.getByRole("main").getByRole("button", { name: "Sign in" })).toBeVisible();
  await expectNoViolations(page, "/signin/verify with a good link");
});

test("every page is free of accessibility violations in both modes and at both widths, signed in", async ({
  page,
}) => {
  test.setTimeout(600_000);
  const email = await signInAsNewSubscriber(page);
  for (const path of [...(await listOwnPages(page)), await addPurchase(email)])
    await expectNoViolationsAt(page, path);
  const set = await leaveTraces(page);
  for (const route of ["/", "/user/favorites", "/user/favorites?type=photo", "/user/history", set]) {
    await page.goto(route);
    await expectNoViolations(page, `${route}, not empty`);
  }
  await letSignInGrowOld(email);
  for (const path of STALE) await expectNoViolationsAt(page, path);
  await letDeletionBegin(email);
  await expectNoViolationsAt(page, "/user/account");
});

test("marked photos, open, locked and gone, and a locked set with free photos are free of accessibility violations", async ({
  page,
}) => {
  const email = await signInAsNewMember(page);
  await withPhotoSet({ count: 4, free: [1] }, async ({ id, path }) => {
    await markPhotos(email, id);
    await withDatabase(
      (sql) =>
        sql`UPDATE photos SET position = NULL, left_out_at = now() WHERE media_id = ${id} AND number = 4`,
    );
    await expectNoViolationsAt(page, "/user/favorites?type=photo");
    await expect(page.getByRole("article")).toHaveCount(3);
    await expect(page.getByText("No longer available")).toBeVisible();
    for (const address of [path, `${path}/1`, `${path}/2`]) await expectNoViolationsAt(page, address);
  });
});

test("both menus are free of accessibility violations while they are open", async ({ page }) => {
  await signInAsNewSubscriber(page, "/about");
  await untilScriptsRun(page);
  for (const mode of await bothModes(page)) {
    await mode.choose();
    for (const [menu, width] of [
      ["Your menu", 1280],
      ["Your menu", 390],
      ["Menu", 390],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      const details = page.locator("details", { has: page.locator("summary", { hasText: menu }) }).last();
      await details.locator("summary").click();
      await expect(details.getByRole("link").first()).toBeVisible();
      expect.soft(await findViolations(page), `the open ${menu} in ${mode.name} at ${width} px`).toEqual([]);
      await page.keyboard.press("Escape");
    }
  }
});
