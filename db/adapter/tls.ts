// Needed because postgres.js and pg encrypt the connection to one address differently: decision 132.

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect, createSecureContext, getCACertificates } from "node:tls";
import type { DatabaseAddress } from "#app/config/database-address.ts";
import { SYSTEM, type TlsSettings } from "#app/config/database-tls.ts";
import { UrlProblem } from "#app/config/setting-urls.ts";

/** The request for TLS of PostgreSQL's protocol: its length and its code. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const YES = "S".charCodeAt(0);

class NoEncryptionError extends Error {}

/** Options of Node's TLS for an encrypted connection. Throws a UrlProblem for a file that cannot be used. */
export function tlsOptions({ host, tls }: DatabaseAddress): ConnectionOptions {
  const { authorities, certificate, minVersion, maxVersion, isDirect } = tls;
  return {
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...verification(tls),
    ...(authorities === null ? {} : { ca: readAuthorities(authorities) }),
    ...(certificate === null ? {} : readClient(certificate)),
    ...(minVersion === null ? {} : { minVersion }),
    ...(maxVersion === null ? {} : { maxVersion }),
    ...(isDirect ? { ALPNProtocols: ["postgresql"] } : {}),
  };
}

/** As libpq does: with its authorities, the certificate is verified in every mode, and its name in the strictest only. */
function verification({ mode, authorities }: TlsSettings): ConnectionOptions {
  if (mode === "verify-full") return {};
  return authorities === null ? { rejectUnauthorized: false } : { checkServerIdentity: () => undefined };
}

/** Asks the server for TLS on a connected socket. Closes it and throws when the server has none. */
export async function encrypt(socket: Socket, address: DatabaseAddress): Promise<Socket> {
  if (!address.tls.isDirect) await requestTls(socket);
  const encrypted = connect({ socket, ...tlsOptions(address) });
  return new Promise((resolve, reject) => {
    encrypted.once("error", reject);
    encrypted.once("close", () => reject(closed()));
    encrypted.once("secureConnect", () => {
      encrypted.off("error", reject);
      resolve(encrypted);
    });
  });
}

async function requestTls(socket: Socket): Promise<void> {
  const answer = await new Promise<Buffer>((resolve, reject) => {
    socket.once("data", resolve);
    socket.once("error", reject);
    socket.once("close", () => reject(closed()));
    socket.write(TLS_REQUEST);
  });
  socket.pause();
  // More than one byte was sent by somebody in between, before the encryption.
  if (answer.length === 1 && answer[0] === YES) return;
  socket.destroy();
  throw new NoEncryptionError("The server does not support SSL connections");
}

function closed(): Error {
  return Object.assign(new Error("The server closed the connection"), { code: "ECONNRESET" });
}

function readAuthorities(authorities: string): string[] {
  if (authorities === SYSTEM) return [...getCACertificates("default"), ...getCACertificates("system")];
  return [readPem("sslrootcert", authorities, "CERTIFICATE")];
}

/** OpenSSL's own messages name neither file nor cure. */
function readClient({ file, keyFile, keyPassword }: NonNullable<TlsSettings["certificate"]>) {
  const client = {
    cert: readPem("sslcert", file, "CERTIFICATE"),
    key: readPem("sslkey", keyFile, "PRIVATE KEY"),
    ...(keyPassword === null ? {} : { passphrase: keyPassword }),
  };
  requireUsable(
    () => createSecureContext(client),
    "names files in sslcert and sslkey that cannot be used together: use a certificate and its own key, with sslpassword=<password> if the key is encrypted",
  );
  return client;
}

function requireUsable(use: () => unknown, otherwise: string): void {
  try {
    use();
  } catch {
    throw new UrlProblem(otherwise);
  }
}

function readPem(parameter: string, file: string, what: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new UrlProblem(
      `names a file in ${parameter} that this user cannot read: correct its path, which must be absolute`,
    );
  }
  if (!text.includes(`${what}-----`)) {
    throw new UrlProblem(`names a file in ${parameter} without a ${what.toLowerCase()} in PEM format`);
  }
  if (what === "CERTIFICATE") {
    const damaged = `names a file in ${parameter} whose certificate is damaged: get the file again`;
    requireUsable(() => new X509Certificate(text), damaged);
  }
  return text;
}
