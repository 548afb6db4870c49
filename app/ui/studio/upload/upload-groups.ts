import { count } from "#app/counts.ts";
import type { OwnUpload } from "#app/domain/uploads/own-batches.server.ts";
import type { SendingState, SentFile, Snapshot } from "./sending.ts";

export interface UploadGroup {
  key: string;
  title: string;
  isFolder: boolean;
  uploads: OwnUpload[];
}

export function groupsOf(uploads: OwnUpload[]): UploadGroup[] {
  const groups = new Map<string, UploadGroup>();
  for (const upload of uploads) {
    const folder = upload.path.split("/").slice(0, -1).join("/");
    const isFolder = folder !== "";
    const key = isFolder ? folder : upload.id;
    const group = groups.get(key) ?? { key, title: isFolder ? folder : upload.path, isFolder, uploads: [] };
    group.uploads.push(upload);
    groups.set(key, group);
  }
  return [...groups.values()];
}

export interface GroupProgress {
  bytes: number;
  sentBytes: number;
  /** Files that are not on the site yet. */
  missing: OwnUpload[];
  /** Missing files that this browser has. */
  here: SentFile[];
  /** Those of `here` that cannot continue. */
  failed: SentFile[];
  state: SendingState | "missing" | "arrived";
  secondsLeft: number | null;
}

/** The most urgent state first. A failed file does not hide the progress of the others. */
const ORDER: SendingState[] = ["signedOut", "waiting", "sending", "queued", "paused", "failed"];

export function progressOf(uploads: OwnUpload[], { files, bytesPerSecond }: Snapshot): GroupProgress {
  const missing = uploads.filter(
    (upload) => upload.state === "uploading" && files.get(upload.id)?.state !== "sent",
  );
  const here = missing.flatMap(({ id }) => files.get(id) ?? []);
  const counted = uploads.filter(({ state }) => state !== "refused" && state !== "passedOver");
  const sentBytes = counted.reduce((sum, upload) => sum + sentOf(upload, files.get(upload.id)), 0);
  const bytes = counted.reduce((sum, upload) => sum + upload.bytes, 0);
  const state = ORDER.find((each) => here.some((file) => file.state === each));
  const failed = here.filter((file) => file.state === "failed");
  const unsent = failed.reduce((sum, file) => sum + file.bytes - file.sentBytes, 0);
  const isSending = here.some((file) => file.state === "sending");
  const speed =
    bytesPerSecond / Math.max(1, [...files.values()].filter((file) => file.state === "sending").length);
  const own = isSending ? speed * here.filter((file) => file.state === "sending").length : 0;
  return {
    ...{ bytes, sentBytes, missing, here, failed },
    state: missing.length === 0 ? "arrived" : (state ?? "missing"),
    secondsLeft: own > 0 ? Math.ceil((bytes - sentBytes - unsent) / own) : null,
  };
}

function sentOf({ state, bytes, receivedBytes }: OwnUpload, file: SentFile | undefined): number {
  return state === "uploading" ? Math.max(receivedBytes, file?.sentBytes ?? 0) : bytes;
}

/** "less than a minute", "12 minutes", "2 hours" */
export function timeText(seconds: number): string {
  if (seconds < 60) return "less than a minute";
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? count(minutes, "minute") : count(Math.round(minutes / 60), "hour");
}
