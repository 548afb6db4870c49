import { test } from "@playwright/test";
import { expectNoViolationsAt } from "../support/browser/accessibility.ts";
import { listStudioPages } from "../support/browser/pages.ts";
import { signInAsNewStaff } from "../support/browser/studio.ts";

// Color transitions are disabled, so that only final colors are checked.
test.use({ contextOptions: { reducedMotion: "reduce" } });

test("every page of the studio is free of accessibility violations in both modes and at both widths", async ({
  page,
}) => {
  test.setTimeout(480_000);
  await signInAsNewStaff(page, "owner");
  for (const path of await listStudioPages(page)) await expectNoViolationsAt(page, path);
});
