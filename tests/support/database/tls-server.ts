import { execFileSync } from "node:child_process";
import { chmod, chown, cp, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withConnection } from "#db/connection.ts";
import { startEmbedded } from "#db/server/embedded.ts";

/** Has every character that ends or divides a part of a URL. */
export const HARD_PASSWORD = "p#a/s?s@w:o[r]d %41&'\"=+";
export const MANAGED_USER = "managed";
/** Signs in with a certificate alone. */
export const CERTIFIED_USER = "certified";

/** As a provider of databases has it: these users may connect with TLS only, the tests' own superuser as it likes. */
const ACCESS = `local all all scram-sha-256
host all postgres 127.0.0.1/32 scram-sha-256
hostssl all ${MANAGED_USER} 127.0.0.1/32 scram-sha-256
hostssl all ${CERTIFIED_USER} 127.0.0.1/32 cert
hostnossl all plain 127.0.0.1/32 scram-sha-256
`;

export interface TlsServer {
  port: number;
  /** Certificates of the provider's private authority, of another one, and of a client, and files that cannot be used. */
  files: Record<
    | "authority"
    | "stranger"
    | "clientCertificate"
    | "clientKey"
    | "lockedKey"
    | "otherKey"
    | "text"
    | "damaged",
    string
  >;
  /** The address of a new database that belongs to the user. */
  urlOf(given?: { user?: string; host?: string; query?: string }): Promise<string>;
  stop(): Promise<void>;
}

/** A PostgreSQL whose certificate is for "localhost" and comes from an authority that no machine knows. */
export async function startTlsServer(): Promise<TlsServer> {
  const folder = await mkdtemp(join(tmpdir(), "peony-tls-"));
  const pem = (name: string) => join(folder, `${name}.pem`);
  makeAuthority(folder, "authority", "/CN=Database Provider CA");
  makeAuthority(folder, "stranger", "/CN=Another CA");
  issue(folder, "server", "/CN=localhost");
  issue(folder, "client", `/CN=${CERTIFIED_USER}`);
  await writeFile(pem("text"), "no certificate");
  await writeFile(pem("damaged"), ["CERTIFICATE", "PRIVATE KEY"].map(damagedPem).join("\n"));
  lock(pem("client-key"), pem("locked-key"));
  const dataDir = join(folder, "data");
  await (await startEmbedded(dataDir)).stop();
  const databaseDir = join(dataDir, "postgres");
  const { uid, gid } = await stat(databaseDir);
  for (const name of ["server", "server-key", "authority"]) {
    const copy = join(databaseDir, `${name}.pem`);
    await cp(pem(name), copy);
    await chown(copy, uid, gid);
    await chmod(copy, 0o600);
  }
  await writeFile(join(databaseDir, "pg_hba.conf"), ACCESS);
  const settings = [
    "unix_socket_directories=/tmp",
    "ssl=on",
    "ssl_cert_file=server.pem",
    "ssl_key_file=server-key.pem",
    "ssl_ca_file=authority.pem",
  ];
  const server = await startEmbedded(
    dataDir,
    settings.flatMap((setting) => ["-c", setting]),
  );
  const port = Number(new URL(server.adminUrl).port);
  await withConnection(server.adminUrl, async (sql) => {
    const quoted = HARD_PASSWORD.replaceAll("'", "''");
    for (const user of [MANAGED_USER, CERTIFIED_USER, "plain"]) {
      await sql.unsafe(`CREATE ROLE ${user} LOGIN PASSWORD '${quoted}'`);
    }
  });
  let made = 0;
  return {
    port,
    files: {
      authority: pem("authority"),
      stranger: pem("stranger"),
      clientCertificate: pem("client"),
      clientKey: pem("client-key"),
      lockedKey: pem("locked-key"),
      otherKey: pem("stranger-key"),
      text: pem("text"),
      damaged: pem("damaged"),
    },
    async urlOf({ user = MANAGED_USER, host = "localhost", query = "" } = {}) {
      made += 1;
      const name = `site_${made}`;
      await withConnection(server.adminUrl, (sql) => sql.unsafe(`CREATE DATABASE ${name} OWNER ${user}`));
      return `postgres://${user}:${encodeURIComponent(HARD_PASSWORD)}@${host}:${port}/${name}${query}`;
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const KEY_PASSWORD = "opens-the-key";

function lock(key: string, locked: string): void {
  const files = ["-in", key, "-out", locked, "-passout", `pass:${KEY_PASSWORD}`];
  execFileSync("openssl", ["pkcs8", "-topk8", ...files], { stdio: "pipe" });
}

function damagedPem(what: string): string {
  return `-----BEGIN ${what}-----\nAAAA\n-----END ${what}-----\n`;
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

function makeAuthority(folder: string, name: string, subject: string): void {
  const files = ["-keyout", join(folder, `${name}-key.pem`), "-out", join(folder, `${name}.pem`)];
  execFileSync("openssl", ["req", "-x509", ...KEY, "-days", "2", "-subj", subject, ...files], {
    stdio: "pipe",
  });
}

/** By the provider's authority. */
function issue(folder: string, name: string, subject: string): void {
  const key = ["-keyout", join(folder, `${name}-key.pem`), "-out", join(folder, `${name}.pem`)];
  const by = ["-CA", join(folder, "authority.pem"), "-CAkey", join(folder, "authority-key.pem")];
  const use = ["-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE"];
  execFileSync("openssl", ["req", "-x509", ...KEY, "-days", "2", "-subj", subject, ...use, ...by, ...key], {
    stdio: "pipe",
  });
}
