import { describe, expect, test } from "vitest";
import { fc } from "#tests/support/seed.ts";
import { databaseUrlProblem, parseDatabaseUrl, withPassword } from "./database-address.ts";

describe("an address of a database", () => {
  test.each([
    [
      "postgres://u:p@db.example:6543/site",
      { host: "db.example", port: 6543, user: "u", password: "p", database: "site" },
    ],
    ["postgresql://u@db/site", { host: "db", port: 5432, user: "u", password: null, database: "site" }],
    ["postgres://u:p%23%2F%3F%40%3A%25%20@db/a%20site", { password: "p#/?@:% ", database: "a site" }],
    ["postgres://u:p@1@db/site", { password: "p@1", host: "db" }],
    ["postgres://u:a:b+c\"'=&;$@db/site", { user: "u", password: "a:b+c\"'=&;$" }],
    ["postgres://u:p@[2001:db8::7]:6543/site", { host: "2001:db8::7", port: 6543 }],
    ["postgres://u@%2Fvar%2Frun%2Fpostgresql/site", { host: "/var/run/postgresql" }],
    [
      "postgres:///site?host=/var/run/postgresql&port=5433",
      { host: "/var/run/postgresql", port: 5433, user: null },
    ],
    [
      "postgres://u:p@/site?host=/cloudsql/project:region:instance",
      { host: "/cloudsql/project:region:instance" },
    ],
    ["postgres://db/?user=u&password=a%26b&dbname=site", { user: "u", password: "a&b", database: "site" }],
    ["postgres://u@db", { user: "u", database: null }],
  ])("%s has the parts that libpq reads", (url, parts) => {
    expect(parseDatabaseUrl(url)).toMatchObject(parts);
  });

  test.each([
    ["", { mode: "disable" }],
    ["?sslmode=verify-full", { mode: "verify-full", authorities: null }],
    ["?sslrootcert=system", { mode: "verify-full", authorities: "system" }],
    ["?sslmode=verify-ca&sslrootcert=/ca.pem", { mode: "verify-ca", authorities: "/ca.pem" }],
    ["?ssl=true", { mode: "require" }],
    ["?ssl=true&sslmode=verify-full", { mode: "verify-full" }],
    ["?sslmode=require&sslnegotiation=direct", { isDirect: true }],
    [
      "?sslmode=require&sslcert=/c.pem&sslkey=/k.pem",
      { certificate: { file: "/c.pem", keyFile: "/k.pem", keyPassword: null } },
    ],
    ["?sslmode=require&ssl_min_protocol_version=TLSv1.3", { minVersion: "TLSv1.3" }],
  ])("with %s has the encryption that libpq means", (query, tls) => {
    expect(parseDatabaseUrl(`postgres://u:p@db/site${query}`).tls).toMatchObject(tls);
  });

  test("is read without what other programs tune their pools with", () => {
    const query =
      "?pgbouncer=true&connection_limit=5&pool_timeout=10&statement_cache_size=0&schema=public&channel_binding=prefer&target_session_attrs=read-write&keepalives=1&gssencmode=disable&prepareThreshold=0&serverVersion=16&charset=utf8&sslsni=1&of_another_program=x";
    const plain = parseDatabaseUrl("postgres://u:p@db/site");
    expect(parseDatabaseUrl(`postgres://u:p@db/site${query}`)).toEqual(plain);
  });

  test("keeps a name, options and a time limit for its connections", () => {
    const url =
      "postgres://u:p@db/site?application_name=peony&options=-c%20search_path%3Dpublic&connect_timeout=15";
    expect(parseDatabaseUrl(url)).toMatchObject({
      applicationName: "peony",
      options: "-c search_path=public",
      connectTimeoutSeconds: 15,
    });
  });

  test.each<[string, RegExp]>([
    ["mysql://u:SECRET@db/site", /^must begin with postgres:\/\/ or postgresql:\/\/$/],
    ["u:SECRET@db/site", /^must begin with postgres/],
    ["postgres://u:SECRET#1@db/site", /# .* %23/],
    ["postgres://u:1#SECRET@db/site", /# .* %23/],
    ["postgres://u:SECRET/1@db/site", /\/ as %2F/],
    ["postgres://u:1/SECRET@db/site", /\/ as %2F/],
    ["postgres://u:1?SECRET@db/site", /\? as %3F/],
    ["postgres://u:SECRET%1@db/site", /% as %25/],
    ["postgres://u:SECRET%E4@db/site", /% as %25/],
    ["postgres://u:SECRET 1@db/site", /space as %20/],
    ["postgres://u:SECRET", /not a complete address.*%23/],
    ["postgres://u:12", /names neither a user nor a database.*%23/],
    ["postgres://u:12?SECRET", /names neither a user nor a database.*%23/],
    ["postgres://u:SECRET@db:five/site", /^is not a complete address/],
    ["postgres://u:SECRET@db:0/site", /^is not a complete address/],
    ["postgres://u:SECRET@db/site?port=99999", /^has a port that is not a number up to 65535$/],
    ["postgres://u:SECRET@2001:db8::7/site", /IPv6 host in brackets/],
    ["postgres://u@db/site?sslmode=require&password=SECRET@1", /@ as %40/],
    ["postgres://u:SECRET@one,two/site", /several hosts.*accepts writes/],
    ["postgres://u:SECRET@one:1,two:2/site", /several hosts/],
    ["postgres://u:SECRET@/site?host=one,two", /several hosts/],
    ["postgres://u:SECRET@db/site?port=1,2", /several hosts/],
    ["postgres://u:SECRET@db/site?sslmode=on", /unknown sslmode: use disable/],
    ["postgres://u:SECRET@db/site?ssl=no-verify", /unknown sslmode: use disable/],
    ["postgres://u:SECRET@db/site?sslmode=verify-ca", /without sslrootcert/],
    ["postgres://u:SECRET@db/site?sslrootcert=/ca.pem", /without sslmode: add sslmode=verify-full/],
    ["postgres://u:SECRET@db/site?sslmode=require&sslrootcert=system", /needs sslmode=verify-full/],
    ["postgres://u:SECRET@db/site?sslmode=require&sslcert=/c.pem", /one of sslcert and sslkey/],
    ["postgres://u:SECRET@db/site?ssl_min_protocol_version=2", /unknown ssl_min_protocol_version: use/],
    ["postgres://u:SECRET@db/site?channel_binding=require", /channel_binding.*sslmode=verify-full/],
    ["postgres://u:SECRET@db/site?schema=peony", /schema.*remove it/],
    ["postgres://u:SECRET@db/site?target_session_attrs=read-only", /target_session_attrs.*remove it/],
    ["postgres://u:SECRET@db/site?hostaddr=10.0.0.1", /hostaddr.*remove it/],
    ["postgres://u:SECRET@db/site?sslaccept=strict", /about encryption.*sslmode=verify-full/],
    ["postgres://u:SECRET@db/site?sslmod=require", /about encryption.*sslmode=verify-full/],
    ["postgres://u:SECRET@db/site?sslmode=require&sslmode=disable", /sslmode twice/],
    ["postgres://u:SECRET@db/site?user=other", /user twice/],
    ["postgres://u:SECRET@db/site?connect_timeout=soon", /connect_timeout/],
  ])("%s is refused with what to write instead", (url, words) => {
    const problem = databaseUrlProblem(url) ?? "";
    expect(problem).toMatch(words);
    expect(problem).not.toMatch(/SECRET|\n/);
  });

  test("takes any password apart, whatever is in it", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (password) => {
        for (const url of ["postgres://u@db/site", "postgres://u@db/site?sslmode=require"]) {
          const read = parseDatabaseUrl(withPassword(url, password.replaceAll("\0", "x")));
          expect(read.password).toBe(password.replaceAll("\0", "x"));
        }
      }),
    );
  });
});
