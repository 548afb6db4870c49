import { afterAll, beforeAll, expect, test } from "vitest";
import { type Site, startSite } from "./support/site.ts";

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
