import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STRIPE_EVENTS } from "./parse-event.server.ts";

test("the guide for hosts names the very events that are listened to", () => {
  const guide = readFileSync("docs/payments.md", "utf8");
  const [, list = ""] = /### The events\n\n```\n(.*?)```/s.exec(guide) ?? [];
  expect(list.split(/\s+/).filter(Boolean).sort()).toEqual([...STRIPE_EVENTS].sort());
});
