import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { addSubscriber, codeInOutbox, enter, linkInOutbox } from "../support/browser/people.ts";
import { untilScriptsRun } from "../support/browser/scripts.ts";
import { ownSite } from "../support/browser/sites.ts";

const NO_COOKIES = { name: "Your browser does not keep cookies" };

test("after a program pressed the link's button, the code still works for the person", async ({
  page,
  browser,
}) => {
  await enter(page);
  const email = await requestMail(page);
  const link = await linkInOutbox(page, email);
  const code = await codeInOutbox(page, email);
  const scanner = await (await browser.newContext()).newPage();
  await scanner.goto(link);
  await scanner.getByRole("button", { name: "That was me, sign in here" }).click();
  await expect(scanner).not.toHaveURL(/verify/);

  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link has already been used" })).toBeVisible();
  await expect(page.getByText(/It was used on .* UTC by Chrome on Linux/)).toBeVisible();
  await page.getByRole("link", { name: "Type the code" }).click();
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/$/);
});

test("nobody loses an email because a password manager fills the hidden field", async ({ page }) => {
  await addSubscriber();
  await page.goto("/signin?next=/about");
  await untilScriptsRun(page);
  await page.locator("[aria-hidden] input").evaluate((field: HTMLInputElement) => {
    field.value = "https://ada.example";
  });
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("button", { name: "Send me a link" }).click();
  await expect(page.getByRole("alert")).toContainText("Something filled in a hidden field of this form");
  await expect(page.getByLabel("Email address")).toHaveValue("ada@example.com");
  await page.getByRole("button", { name: "Send it without that field" }).click();
  await expect(page).toHaveURL(/\/signin\/code\?next=%2Fabout$/);
  await linkInOutbox(page, "ada@example.com");
});

test("a browser without cookies is told so at the age gate, the sign-in and the color mode", async ({
  browser,
  javaScriptEnabled,
}) => {
  await addSubscriber();
  await withoutCookies(browser, javaScriptEnabled !== false, async (page) => {
    const expectSentence = () => expect(page.getByRole("heading", NO_COOKIES)).toBeVisible();
    await page.goto("/content/video?sort=new");
    await page.getByRole("button", { name: "Enter" }).click();
    await expectSentence();
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(page).toHaveURL(/\/enter\?next=%2Fcontent%2Fvideo%3Fsort%3Dnew$/);

    await page.goto("/signin");
    await untilScriptsRun(page);
    await page.getByLabel("Email address").fill("cookieless@example.com");
    await page.getByRole("button", { name: "Send me a link" }).click();
    await expectSentence();

    await page.goto("/about");
    await untilScriptsRun(page);
    await page.getByRole("banner").getByRole("button", { name: "Dark mode" }).click();
    await expectSentence();
  });
});

async function requestMail(page: Page, known?: string): Promise<string> {
  const email = known ?? (await addSubscriber());
  await page.goto("/signin");
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Send me a link" }).click();
  await expect(page).toHaveURL(/\/signin\/code$/);
  return email;
}

/** Chromium's headless shell has no setting that blocks cookies, so they are lost on their way to it. */
async function withoutCookies(
  browser: Browser,
  javaScriptEnabled: boolean,
  visit: (page: Page) => Promise<void>,
): Promise<void> {
  const proxy = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const onward = send({ port: ownSite().port, method, path, headers }, (answer) => {
      const { "set-cookie": _lost, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "localhost", resolve));
  const { port } = proxy.address() as AddressInfo;
  const context = await browser.newContext({ baseURL: `http://localhost:${port}`, javaScriptEnabled });
  await context.addInitScript(() => {
    Object.defineProperty(navigator, "cookieEnabled", { value: false });
  });
  try {
    await visit(await context.newPage());
  } finally {
    await context.close();
    proxy.closeAllConnections();
    proxy.close();
  }
}
