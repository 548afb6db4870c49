import { readdirSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { adultCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";

const site = await startSite();
afterAll(() => site.stop());

const version = /^manifest-(\w+)\.js$/.exec(
  readdirSync("build/client/assets").find((name) => name.startsWith("manifest-")) ?? "",
)?.[1];

test.each([
  ["the routes that a path leads through", `/__manifest?version=${version}&p=${"/a".repeat(1_200)}`],
  ["a path of many slashes", `/content/${"/".repeat(12_000)}x`],
  ["the data of a long path", `/content/${"/".repeat(12_000)}x.data`],
  ["a path that cannot be decoded", "/%E0%A4%A"],
])("%s are answered with our own page for a missing page", async (_, path) => {
  const answer = await site.fetch(path, { headers: { cookie: await adultCookie() } });
  const title = expect.stringContaining("<title>Page not found · Peony</title>");
  expect([answer.status, await answer.text()]).toEqual([404, title]);
});
