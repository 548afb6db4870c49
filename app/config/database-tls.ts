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
      "has sslmode=verify-ca without sslrootcert: add sslrootcert=<the file with the certificate of the server's authority>, or use sslmode=verify-full",
    );
  }
  if (authorities === SYSTEM && mode !== "verify-full") {
    throw new UrlProblem("has sslrootcert=system, which needs sslmode=verify-full");
  }
  const { sslcert, sslkey, sslpassword = null, sslnegotiation = "postgres" } = given;
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw new UrlProblem("has only one of sslcert and sslkey: set both, or neither");
  }
  if (!["postgres", "direct"].includes(sslnegotiation)) {
    throw new UrlProblem("has an unknown sslnegotiation: use postgres or direct");
  }
  if (sslnegotiation === "direct" && ["disable", "allow", "prefer"].includes(mode)) {
    throw new UrlProblem("has sslnegotiation=direct, which needs sslmode=require or stricter");
  }
  return {
    mode,
    authorities,
    certificate:
      sslcert === undefined || sslkey === undefined
        ? null
        : { file: sslcert, keyFile: sslkey, keyPassword: sslpassword },
    minVersion: oneOf(TLS_VERSIONS, "ssl_min_protocol_version", given),
    maxVersion: oneOf(TLS_VERSIONS, "ssl_max_protocol_version", given),
    isDirect: sslnegotiation === "direct",
  };
}

/** `ssl` is what the drivers of other languages call it. */
function tlsMode({ ssl, sslmode }: Given, authorities: string | null): TlsSettings["mode"] {
  const plain = ssl === undefined ? undefined : ({ true: "require", false: "disable" }[ssl] ?? ssl);
  const mode = oneOf(TLS_MODES, "sslmode", { sslmode: sslmode ?? plain });
  if (mode !== null) return mode;
  if (authorities === SYSTEM) return "verify-full";
  if (authorities === null) return "disable";
  throw new UrlProblem(
    "has sslrootcert without sslmode: add sslmode=verify-full, or verify-ca if the host has another name",
  );
}

function oneOf<Value extends string>(values: readonly Value[], name: string, given: Given): Value | null {
  const text = given[name];
  const known = values.find((value) => value === text);
  if (known === undefined && text !== undefined) {
    throw new UrlProblem(`has an unknown ${name}: use ${values.join(", ")}`);
  }
  return known ?? null;
}
