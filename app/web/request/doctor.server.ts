import { DOCTOR_HEADER, isDoctorKey, type SeenRequest } from "#app/domain/health/doctor.server.ts";

/** Null unless the doctor of this site asks. */
export function seenByDoctor({ headers }: Request): SeenRequest | null {
  if (!isDoctorKey(headers.get(DOCTOR_HEADER) ?? "")) return null;
  const forwarded = headers.get("x-forwarded-for");
  return {
    // Empty behind a proxy, even where the server hook removes the headers of one that is not trusted.
    isForwarded: !headers.get("x-unforwarded-peer"),
    proxies: forwarded === null ? 0 : forwarded.split(",").length,
  };
}
