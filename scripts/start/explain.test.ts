import { expect, test } from "vitest";
import { explain } from "./explain.ts";

test.each([
  ["ENOTFOUND", "cannot be found"],
  ["EAI_AGAIN", "cannot be found"],
  ["EHOSTUNREACH", "cannot be reached"],
  ["ENETUNREACH", "cannot be reached"],
  ["ETIMEDOUT", "cannot be reached"],
  ["ECONNRESET", "closed the connection"],
])("%s is one line with what to do, and without the address", (code, what) => {
  const line = explain(Object.assign(new Error(`connect ${code} 10.1.2.3:5432`), { code }));
  expect(line).toMatch(new RegExp(`^The (host|database) [^\\n]*${what}: [^\\n]*\\.$`));
  expect(line).not.toContain("10.1.2.3");
});

test("a user without a name is told what to do about it", () => {
  const error = Object.assign(new Error("A system error occurred"), { syscall: "uv_os_get_passwd" });
  expect(explain(error)).toMatch(/^This user has no name on this machine[^\n]* set DATABASE_URL\.$/);
});

test("anything else is its own first line", () => {
  expect(explain(new Error("Port 3000 is busy\n  at listen"))).toBe("Port 3000 is busy");
});
