import { expect, test } from "@playwright/test";
import { signInAsNewSubscriber } from "../support/browser/people.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";

test("a message from another tab that changes nothing here does not hide the next change", async ({
  page,
}) => {
  await signInAsNewSubscriber(page);
  await page.goto("/user/account");
  await untilScriptsRun(page);
  const reported: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/auth")) reported.push(request.postDataJSON().event);
  });
  const loaded = page.waitForResponse((response) => response.url().includes("/user/account.data"));
  await page.evaluate(() => new BroadcastChannel("session").postMessage("USER_UPDATED"));
  await loaded;
  await page.waitForTimeout(1_000);

  await page.getByLabel("Name").fill("Ada Marlowe");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect.poll(() => reported).toEqual(["USER_UPDATED"]);
});
