import { readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Site, startSite } from "../support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

test("the built site answers that it is alive", async () => {
  const answer = await site.fetch("/healthz");
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe("ok\n");
});

test("no source behind the scripts is published", () => {
  const files = readdirSync("build/client", { recursive: true, encoding: "utf8" });
  expect(files.some((file) => file.endsWith(".js"))).toBe(true);
  expect(files.filter((file) => /\.(map|tsx?)$/.test(file))).toEqual([]);
});
