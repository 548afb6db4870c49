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

test.each(["EACCES", "EPERM", "ENOSPC", "EDQUOT", "EROFS", "ENOTDIR"])(
  "%s of a file is one line with what to do, and names the file",
  (code) => {
    const error = Object.assign(new Error(`${code}: mkdir`), { code, syscall: "mkdir", path: "/srv/peony" });
    expect(explain(error)).toMatch(/\/srv\/peony[^\n]*: (start|choose|free)[^\n]*\.$/);
  },
);

test("any other error is explained by its own first line", () => {
  expect(explain(new Error("Port 3000 is busy\n  at listen"))).toBe("Port 3000 is busy");
});
