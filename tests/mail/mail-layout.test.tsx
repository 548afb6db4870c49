import { chromium } from "playwright";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { MailButton, MailLayout, MailLines, renderMail } from "#app/domain/mail/mail-layout.tsx";

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ["--no-sandbox"] });
afterAll(() => browser.close());

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

async function look(width: number, colorScheme: "light" | "dark", isLong: boolean) {
  const word = isLong ? LONG : "Peony";
  const { html } = await renderMail(
    <MailLayout siteName={word.slice(0, 60)}>
      <p>Thank you, {word}.</p>
      <MailLines lines={{ Plan: word, Amount: "IDR 123,456,789,012.00" }} />
      <MailButton href="http://localhost:3000">{word}</MailButton>
    </MailLayout>,
  );
  const page = await browser.newPage({ viewport: { width, height: 600 }, colorScheme });
  await page.setContent(html);
  const seen = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    background: getComputedStyle(document.body).backgroundColor,
    text: getComputedStyle(document.body).color,
  }));
  await page.close();
  return seen;
}

test.each([320, 390, 680])("an email fits a screen of %i pixels, long words too", async (width) => {
  for (const isLong of [false, true]) {
    const before = config.contactEmail;
    if (isLong) config.contactEmail = `${LONG.toLowerCase().slice(0, 60)}@${"subdomain.".repeat(5)}example`;
    expect((await look(width, "light", isLong)).width).toBe(width);
    config.contactEmail = before;
  }
});

test("an email is dark where its reader's program is", async () => {
  const [light, dark] = [await look(390, "light", false), await look(390, "dark", false)];
  expect([light.background, light.text]).toEqual(["rgb(255, 253, 251)", "rgb(38, 36, 42)"]);
  expect([dark.background, dark.text]).toEqual(["rgb(26, 26, 31)", "rgb(236, 233, 230)"]);
});
