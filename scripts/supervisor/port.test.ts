import { expect, test } from "vitest";
import { requireFreePort } from "./port.ts";

test.each(["203.0.113.9", "[::1]"])(
  "the error for HOST=%s is about HOST, not about the port",
  async (host) => {
    await expect(requireFreePort(8080, host)).rejects.toThrow(/^HOST is not an address of this machine/);
  },
);
