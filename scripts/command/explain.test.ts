import { expect, test } from "vitest";
import { mailAdvice } from "../doctor/mail-advice.ts";
import { explain } from "./explain.ts";

test.each([
  ["EAI_AGAIN", "cannot be found"],
  ["EHOSTUNREACH", "cannot be reached"],
  ["ETIMEDOUT", "cannot be reached"],
  ["ECONNRESET", "closed the connection"],
])("%s becomes one line with what to do, without the address", (code, what) => {
  const line = explain(Object.assign(new Error(`connect ${code} 10.1.2.3:5432`), { code }));
  expect(line).toMatch(new RegExp(`^The (host|database) [^\\n]*${what}: [^\\n]*\\.$`));
  expect(line).not.toContain("10.1.2.3");
});

test.each(["EACCES", "ENOSPC", "EROFS", "ENOTDIR"])(
  "%s of a file becomes one line with what to do, and names the file",
  (code) => {
    const error = Object.assign(new Error(`${code}: mkdir`), { code, syscall: "mkdir", path: "/srv/peony" });
    expect(explain(error)).toMatch(/\/srv\/peony[^\n]*: (start|choose|free)[^\n]*\.$/);
  },
);

test.each([
  ["ENOENT", "listens"],
  ["EACCES", "cannot use"],
])("%s of a socket becomes one line with what to do", (code, what) => {
  const socket = "/var/run/postgresql/.s.PGSQL.5432";
  const error = Object.assign(new Error(`connect ${code} ${socket}`), { code, syscall: "connect" });
  expect(explain(error)).toMatch(new RegExp(`^[^\\n]*${what}[^\\n]*DATABASE_URL[^\\n]*: [^\\n]*\\.$`));
});

test("a firewall that forbids a connection is not reported as a socket", () => {
  const refused = { code: "EPERM", syscall: "connect", address: "10.1.2.3", port: 5432 };
  expect(explain(Object.assign(new Error("connect EPERM 10.1.2.3:5432"), refused))).not.toContain("socket");
});

test("a server that admits nobody without encryption, and may offer none, is not said to require it", () => {
  const line = explain(
    new Error('no pg_hba.conf entry for host "10.1.2.3", user "peony", database "peony", no encryption'),
  );
  expect(line).toContain("sslmode=require");
  expect(line).toContain("pg_hba.conf");
  expect(line).not.toContain("requires");
});

const OPENSSL = "C0A2E7:error:0A000418:SSL routines:ssl3_read_bytes";

test.each([
  [`${OPENSSL}:tlsv1 alert unknown ca:../rec_layer_s3.c:1605:SSL alert number 48`, /certificate.*sslcert=/],
  [`${OPENSSL}:tlsv13 alert certificate required:SSL alert number 116`, /certificate.*sslcert=/],
  [`${OPENSSL}:tlsv1 alert protocol version:SSL alert number 70`, /no encryption in common/],
  [`${OPENSSL}:wrong version number`, /no encryption in common: correct host and port/],
  [
    "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string",
    /requires a password.*DATABASE_PASSWORD/,
  ],
  ["Connection terminated due to connection timeout", /does not answer: start it/],
  ["Connection terminated unexpectedly", /closed the connection/],
  // PgBouncer, Neon's pooler, RDS Proxy.
  ["unsupported startup parameter: lock_timeout", /pooler.*direct address/],
  [
    "unsupported startup parameter in options: statement_timeout. Please use unpooled connection",
    /pooler.*direct/,
  ],
  ["Feature not supported: RDS Proxy currently doesn't support command-line options.", /pooler.*direct/],
])("%s becomes a sentence with what to do", (message, words) => {
  const line = explain(new Error(message));
  expect(line).toMatch(words);
  expect(line).not.toMatch(/SSL routines|SASL|terminated|startup parameter|command-line/);
});

test("any other error is explained by its own first line", () => {
  expect(explain(new Error("Port 3000 is busy\n  at listen"))).toBe("Port 3000 is busy");
});

test.each([
  ["self-signed certificate in certificate chain", /mail server's certificate.*name/],
  ["Hostname/IP does not match certificate's altnames: Host: mail.", /mail server's certificate.*name/],
  ["0A00010B:SSL routines:tls_validate_record_header:wrong version number", /465.*587/],
  ["Greeting never received", /465.*587/],
  ["Error upgrading connection with STARTTLS: 502 5.5.1", /offers no encryption.*requireTLS=false/],
  ["Invalid login: 535 Authentication failed", /correct host, port, user and password/],
])("the doctor says what to do about a mail server's %s", (message, words) => {
  expect(mailAdvice(new Error(message))).toMatch(words);
});
