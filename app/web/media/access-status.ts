import type { Refusal } from "#app/domain/access/access.ts";

export function accessStatus(reason: Refusal): 403 | 404 | 410 {
  if (reason === "gone") return 410;
  return reason === "hidden" ? 404 : 403;
}
