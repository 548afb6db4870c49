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

test.each([
  ["ENOENT", "listens"],
  ["EACCES", "may not use"],
])("%s of a socket is one line with what to do", (code, what) => {
  const socket = "/var/run/postgresql/.s.PGSQL.5432";
  const error = Object.assign(new Error(`connect ${code} ${socket}`), { code, syscall: "connect" });
  expect(explain(error)).toMatch(new RegExp(`^[^\\n]*${what}[^\\n]*DATABASE_URL[^\\n]*: [^\\n]*\\.$`));
});

test("a firewall that forbids a connection is not said to be a socket", () => {
  const refused = { code: "EPERM", syscall: "connect", address: "10.1.2.3", port: 5432 };
  expect(explain(Object.assign(new Error("connect EPERM 10.1.2.3:5432"), refused))).not.toContain("socket");
});

test("a server that admits nobody without encryption, and may offer none, is not said to demand it", () => {
  const line = explain(
    new Error('no pg_hba.conf entry for host "10.1.2.3", user "peony", database "peony", no encryption'),
  );
  expect(line).toContain("sslmode=require");
  expect(line).toContain("pg_hba.conf");
  expect(line).not.toContain("demands");
});

test("any other error is explained by its own first line", () => {
  expect(explain(new Error("Port 3000 is busy\n  at listen"))).toBe("Port 3000 is busy");
});
