import { expect, test } from "vitest";
import { startSite } from "#tests/support/site.ts";
test("x", async () => {
  const site = await startSite({ processes: 2 });
  for (let i = 0; i < 10; i++) await site.fetch("/about");
  const t = performance.now();
  const a = await site.fetch("/metrics");
  console.log(a.status, performance.now() - t, Object.fromEntries(a.headers), await a.text(), site.output());
  await site.stop();
});
