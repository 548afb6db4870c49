import { UrlProblem } from "./setting-urls.ts";

/** As libpq defines them; without one the connection is not encrypted. */
const TLS_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
const TLS_VERSIONS = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"] as const;
type TlsVersion = (typeof TLS_VERSIONS)[number];
export const SYSTEM = "system";

export interface TlsSettings {
  mode: (typeof TLS_MODES)[number];
  /** The file with the certificates of the authorities; "system" means those that this machine trusts. */
  authorities: string | null;
  /** Files of the client's own certificate. */
  certificate: { file: string; keyFile: string; keyPassword: string | null } | null;
  minVersion: TlsVersion | null;
  maxVersion: TlsVersion | null;
  /** Begins with TLS, without a request for it. */
  isDirect: boolean;
}

type Given = Partial<Record<string, string>>;

/** Throws a UrlProblem for parameters that do not go together. */
export function readTls(given: Given): TlsSettings {
  const authorities = given.sslrootcert ?? null;
  const mode = tlsMode(given, authorities);
  if (mode === "verify-ca" && authorities === null) {
    throw new UrlProblem(
      "has sslmode=verify-ca without sslrootcert: add sslrootcert=<the file with the certificate of the server's authority>, or write sslmode=verify-full",
    );
  }
  if (authorities === SYSTEM && mode !== "verify-full") {
    throw new UrlProblem("has sslrootcert=system, which needs sslmode=verify-full");
  }
  const { sslcert, sslkey, sslpassword = null, sslnegotiation = "postgres" } = given;
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw new UrlProblem("has one of sslcert and sslkey: write the files of both, or neither");
  }
  if (!["postgres", "direct"].includes(sslnegotiation)) {
    throw new UrlProblem("has another sslnegotiation than postgres or direct");
  }
  if (sslnegotiation === "direct" && ["disable", "allow", "prefer"].includes(mode)) {
    throw new UrlProblem("has sslnegotiation=direct, which needs sslmode=require or a stricter one");
  }
  const minVersion = tlsVersion(given, "ssl_min_protocol_version");
  const maxVersion = tlsVersion(given, "ssl_max_protocol_version");
  if (minVersion && maxVersion && TLS_VERSIONS.indexOf(minVersion) > TLS_VERSIONS.indexOf(maxVersion)) {
    throw new UrlProblem("has an ssl_min_protocol_version above its ssl_max_protocol_version: remove one");
  }
  return {
    mode,
    authorities,
    certificate:
      sslcert === undefined || sslkey === undefined
        ? null
        : { file: sslcert, keyFile: sslkey, keyPassword: sslpassword },
    minVersion,
    maxVersion,
    isDirect: sslnegotiation === "direct",
  };
}

/** `ssl` is what the drivers of other languages call it. */
function tlsMode({ ssl, sslmode }: Given, authorities: string | null): TlsSettings["mode"] {
  const mode =
    sslmode ?? (ssl === undefined ? undefined : ({ true: "require", false: "disable" }[ssl] ?? ssl));
  if (mode === undefined && authorities !== null && authorities !== SYSTEM) {
    throw new UrlProblem(
      "has sslrootcert without sslmode: add sslmode=verify-full, or verify-ca for another name",
    );
  }
  if (mode === undefined) return authorities === SYSTEM ? "verify-full" : "disable";
  const known = TLS_MODES.find((one) => one === mode);
  if (known !== undefined) return known;
  throw new UrlProblem(`has another sslmode than ${TLS_MODES.join(", ")}: write one of these`);
}

function tlsVersion(given: Given, name: string): TlsVersion | null {
  const value = given[name];
  if (value === undefined) return null;
  const known = TLS_VERSIONS.find((one) => one === value);
  if (known !== undefined) return known;
  throw new UrlProblem(`has another ${name} than ${TLS_VERSIONS.join(", ")}: write one of these`);
}
