import { z } from "zod";
import { formatZoneTime } from "#app/dates.ts";
import type { ChosenFile } from "#app/domain/uploads/batches.server.ts";
import { listBatches } from "#app/domain/uploads/own-batches.server.ts";
import { UPLOAD_LIMITS } from "#app/domain/uploads/upload-limits.ts";
import { siteFacts } from "../pages/site-facts.server.ts";

/** The uploads of a person. Those of others are on nobody's page. */
export async function findUploads(userId: string) {
  const { timeZone } = siteFacts;
  return (await listBatches(userId)).map((batch) => ({
    ...batch,
    createdAt: formatZoneTime(batch.createdAt, timeZone),
    keptUntil: formatZoneTime(batch.keptUntil, timeZone),
  }));
}

const FILE = /^(\d{1,15}) (\S*) (.+)$/s;

/** "12 fingerprint folder/name" for each file; null when one is no such text, or there are too many. */
export function readChosen(form: FormData): ChosenFile[] | null {
  const lines = form.getAll("file");
  if (lines.length === 0 || lines.length > UPLOAD_LIMITS.files) return null;
  const files = lines.map((line) => {
    const [, bytes = "", fingerprint = "", path = ""] = (typeof line === "string" && FILE.exec(line)) || [];
    const isSound = path !== "" && fingerprint.length <= UPLOAD_LIMITS.fingerprint;
    return isSound ? { bytes: Number(bytes), fingerprint, path } : null;
  });
  return files.every((file) => file !== null) ? files : null;
}

const ids = z.array(z.uuid()).max(UPLOAD_LIMITS.files);

/** The ids of the form's files, or of its batch. */
export function readIds(form: FormData, name: "upload" | "batch"): string[] {
  return ids.safeParse(form.getAll(name)).data ?? [];
}
