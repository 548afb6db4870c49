import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { rateLimits, users } from "#db/schema/auth.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { requestSignIn, sessionsOf } from "../support/auth/sign-in.ts";
import { Jar } from "../support/cookie-jar.ts";
import { problemOf } from "../support/forms.ts";
import { countMails, newestMail } from "../support/mails.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

test.each([
  ["no-break spaces", "\u00a0pasted@example.com\u202f"],
  ["a byte order mark", "\ufeffpasted@example.com"],
  ["a zero-width space in its middle", "pasted@\u200bexample.com"],
  ["a soft hyphen in its domain", "pasted@exam\u00adple.com"],
  ["isolates around it, as phones copy them", "\u2068pasted@example.com\u2069"],
  ["a mark of right to left", "pasted@example.com\u200f"],
  ["a line break and a tab", "\tpasted@example.com\r\n"],
  ["a line separator and a blank of Braille", "pasted@example.com\u2028\u2800"],
  ["full-width letters", "\u3000ｐａｓｔｅｄ＠ｅｘａｍｐｌｅ．ｃｏｍ"],
  ["an ideographic full stop", "Pasted@example。com"],
  ["mailto before it", "mailto:pasted@example.com"],
  ["a name before it", "Ann <pasted@example.com>"],
  ["a full stop after it", "pasted@example.com."],
])("an address with %s is the address", async (_, typed) => {
  const before = await countMails("pasted@example.com");
  const jar = await requestSignIn(site, typed);
  expect(await countMails("pasted@example.com")).toBe(before + 1);
  expect(await (await jar.visit("/signin/code")).text()).toContain("p…@example.com");
});

test.each([
  [
    "bücher",
    "ada@xn--bcher-kva.example",
    ["Ada@Bücher.Example", "ada@bu\u0308cher.example", "ada@xn--BCHER-kva.example"],
  ],
  ["Cyrillic", "ada@xn--e1afmkfd.xn--p1ai", ["ada@пример.рф", "ada@ПРИМЕР.РФ", "ada@\u200eпример.рф\u200e"]],
  ["Japanese", "ada@xn--r8jz45g.xn--zckzah", ["ada@例え.テスト", "ada＠例え。テスト"]],
  ["Arabic", "ada@xn--mgbh0fb.xn--kgbechtv", ["ada@مثال.إختبار", "\u202bada@مثال.إختبار\u202c"]],
])("a domain in its own script (%s) has one account, whatever its spelling", async (_, stored, spellings) => {
  for (const typed of spellings) {
    const jar = await requestSignIn(site, typed);
    const { code } = await newestMail(stored);
    expect((await jar.post("/signin/code", { code })).status).toBe(303);
  }
  expect(await sessionsOf(stored)).toBe(spellings.length);
  const addresses = (await db.select({ email: users.email }).from(users)).map(({ email }) => email);
  expect(addresses.filter((email) => email === stored)).toHaveLength(1);
  expect(addresses.every((email) => /^\p{ASCII}+$/u.test(email))).toBe(true);
});

test("an address is shown with its domain as people write it, before and after signing in", async () => {
  const jar = await requestSignIn(site, "shown@Bücher.example");
  await jar.post("/enter", { next: "/" });
  expect(await (await jar.visit("/signin/code")).text()).toContain("s…@bücher.example");
  const { code } = await newestMail("shown@xn--bcher-kva.example");
  await jar.post("/signin/code", { code });
  const account = await (await jar.visit("/user/account")).text();
  expect(account).toContain("Signed in as <!-- -->shown@bücher.example");
  expect(account).not.toContain(">shown@xn--");
});

test.each([
  ["a blank inside", "a b@example.com"],
  ["a line break inside", "a@example.com\nb@example.com"],
  ["a path behind a domain in its own script", "a@bücher.example/x"],
  ["a port behind a domain in its own script", "a@bücher.example:25"],
  ["a second address before a domain in its own script", "a@example.com@bücher.example"],
  ["characters that become a slash", "a@ex℀mple.com"],
  ["an encoded dot", "a@bücher%2eexample"],
  ["a joiner alone before the @", "\u200d@example.com"],
  ["a number as its domain", "a@１２７.０.０.１"],
])("%s is no address", async (_, email) => {
  const refused = await new Jar(site).post("/signin", { email });
  expect(refused.status).toBe(422);
  expect(problemOf(await refused.text(), "email")).toBe(
    "Please type one complete email address, like you@example.com.",
  );
});

test("a name before the @ that mail servers do not accept is refused with that reason", async () => {
  const refused = await new Jar(site).post("/signin", { email: "josé@example.com" });
  expect(problemOf(await refused.text(), "email")).toMatch(/plain Latin letters.* before the @/);
});

test.each([
  [
    "full width",
    (code: string) =>
      [...code].map((character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0)).join(""),
  ],
  ["blanks and dashes", (code: string) => `\u00a0${code.slice(0, 4)}\u2009–\u200b${code.slice(4)}\n`],
  ["a direction", (code: string) => `\u2066${[...code].join("\u2060")}\u2069`],
  [
    "Arabic digits",
    (code: string) => code.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
  ],
  ["a label", (code: string) => `Code: ${code}`],
  ["a label without a colon, in two parts", (code: string) => `Code ${code.slice(0, 4)} ${code.slice(4)}`],
  ["a sentence behind it", (code: string) => `${code.slice(0, 4)}-${code.slice(4)} is your code`],
  ["minutes behind it", (code: string) => `${code.slice(0, 4)}-${code.slice(4)} (15 min)`],
  ["a word behind it", (code: string) => `${code.slice(0, 4)}-${code.slice(4)} code`],
  ["words of its own length before it", (code: string) => `This code here: ${code}`],
  ["a label, in small letters", (code: string) => `code ${code.slice(0, 4)} ${code.slice(4)}`.toLowerCase()],
  ["itself once more", (code: string) => `${code.toLowerCase()}, ${code.slice(0, 4)}-${code.slice(4)}`],
  ["a sentence around it", (code: string) => `“your code is ${code.slice(0, 4)}-${code.slice(4)}.”`],
])("a code with %s is the code", async (_, paste) => {
  const jar = await requestSignIn(site, "codes@example.com");
  const { code } = await newestMail("codes@example.com");
  expect((await jar.post("/signin/code", { code: paste(code) })).status).toBe(303);
});

test("no browser refuses an address by its own rules, even without scripts", async () => {
  const page = await (await new Jar(site).visit("/signin")).text();
  expect(page).toMatch(/<form[^>]*\snovalidate=""[^>]*>.*name="email"/i);
});

test.each([
  ["no code", "your code"],
  ["a part of one", "Code: 0000-000"],
  ["a character that no code has", "UUUU-0000"],
  ["two codes", "0000-0000, 1111-1111"],
  ["too much", "0000-1111-2222"],
])("a text that contains %s does not count as a try", async (_, typed) => {
  const jar = await requestSignIn(site, "untried@example.com");
  const { code } = await newestMail("untried@example.com");
  for (let tries = 0; tries < 6; tries++)
    expect((await jar.post("/signin/code", { code: typed })).status).toBe(422);
  expect((await jar.post("/signin/code", { code })).status).toBe(303);
});

test("an invisible code does not count as a try", async () => {
  const jar = await requestSignIn(site, "nothing@example.com");
  const { code } = await newestMail("nothing@example.com");
  for (let tries = 0; tries < 6; tries++) {
    const refused = await jar.post("/signin/code", { code: "\u200b\u2060" });
    expect(problemOf(await refused.text(), "code")).toBe("Please type the code from the email.");
  }
  expect((await jar.post("/signin/code", { code })).status).toBe(303);
});
