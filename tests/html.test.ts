import { HtmlValidate } from "html-validate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCreator, createPhotoSet, createVideo } from "./support/media.ts";
import { createMember, signedInCookie, subscribe } from "./support/people.ts";
import { type Site, startSite } from "./support/site.ts";

const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  // React writes void elements and attributes its own way, and style attributes carry sizes and colours as data.
  rules: {
    "aria-label-misuse": ["error", { allowAnyNamable: true }],
    "attr-case": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    "no-implicit-input-type": "off",
    "no-inline-style": "off",
    "void-style": "off",
  },
});

let site: Site;
let paths: string[];
let cookie: string;

beforeAll(async () => {
  const creator = await createCreator({ bio: "Works with light." });
  const video = await createVideo({ creators: [creator.id], tags: ["Silk"], withFiles: true });
  const set = await createPhotoSet({ creators: [creator.id], withFiles: true });
  const member = await createMember({ fullName: "Ada Marlowe" });
  await subscribe(member.id);
  cookie = await signedInCookie(member.id);
  site = await startSite();
  paths = [
    "/",
    "/creators",
    `/creators/${creator.slug}`,
    "/content/video",
    "/content/photoSet",
    `/content/video/${video.slug}`,
    `/content/photoSet/${set.slug}`,
    `/content/photoSet/${set.slug}/2`,
    "/privacy",
    "/terms",
    "/about",
    "/2257",
    "/user/account",
    "/outbox",
    "/nowhere",
  ];
});
afterAll(() => site.stop());

test("every page is valid HTML", async () => {
  const problems: string[] = [];
  for (const path of paths) {
    const page = await site.fetch(path, { headers: { cookie } });
    expect(page.status, path).toBe(path === "/nowhere" ? 404 : 200);
    const report = await validator.validateString(await page.text());
    for (const { messages } of report.results) {
      for (const { ruleId, message, line } of messages) problems.push(`${path}:${line} ${ruleId} ${message}`);
    }
  }
  expect(problems).toEqual([]);
});
