// Needed because a phone loses its network while a video plays: decision 060.
import type { SavedView } from "#app/domain/viewing/save-progress.server.ts";
import { paths } from "#app/paths.ts";
import { MAX_RETRIES, pause, waitMs } from "#app/ui/parts/retry-delay.ts";
import { reloadAfterSave } from "./saved-progress.ts";
import { UNSENT_PREFIX } from "./unsent-progress.ts";

export interface ProgressSubject {
  mediaId: string;
  viewerId: string;
  serverNow: number;
}

interface Unsent {
  progress: number;
  sequence: number;
}

export interface ProgressReporter {
  /** Retries. Only the newest is kept. */
  report(progress: number): void;
  /** For a closing page: the browser sends it after the page is gone. */
  leave(progress: number): void;
  /** For a client navigation. */
  end(progress?: number): void;
}

export interface ProgressListener {
  /** Called with the unsent progress of an earlier visit, and once that is sent, with what the server has. */
  onRescued: (progress: number) => void;
  onSaved: () => void;
}

/** Less does not count as moved: a paused video that is reloaded starts slightly off. */
const MOVED_SECONDS = 0.5;

export interface PageMoment {
  /** performance.now(), which may stop while the computer sleeps. */
  ticks: number;
  /** Date.now(), which may be set back. */
  date: number;
}

export function pageMoment(): PageMoment {
  return { ticks: performance.now(), date: Date.now() };
}

/** Sequences use the server's time, because a client's may be wrong. The tab keeps unsent progress for the next visit. */
export function progressReporter(
  { mediaId, viewerId, serverNow }: ProgressSubject,
  receivedAt = pageMoment(),
  listener: Partial<ProgressListener> = {},
): ProgressReporter {
  const key = `${UNSENT_PREFIX}${viewerId}:${mediaId}`;
  const ending = new AbortController();
  let unsent = readUnsent(key);
  let isSending = false;
  /** Given to the browser, which may have lost it. */
  let beacon: Unsent | null = null;
  let inFlight: number | null = null;
  let reported: number | null = null;

  /** The stored value may belong to a later page of the same item. */
  const drop = () => {
    if (readUnsent(key)?.sequence === unsent?.sequence) writeUnsent(key, null);
    unsent = null;
  };
  const store = (report: Unsent) => {
    unsent = report;
    writeUnsent(key, report);
    return report;
  };
  const keep = (progress: number) => {
    const { ticks, date } = pageMoment();
    // The server reads a time in the future as now.
    const passed = Math.max(ticks - receivedAt.ticks, date - receivedAt.date);
    reported = progress;
    return store({ progress, sequence: Math.round(serverNow + passed) });
  };
  /** Progress that has not moved keeps its sequence, so it does not replace newer progress of another tab or device. */
  const keepIfMoved = (progress: number) =>
    reported !== null && Math.abs(progress - reported) < MOVED_SECONDS ? unsent : keep(progress);
  const send = async () => {
    if (isSending) return;
    isSending = true;
    for (let retry = 0; unsent && !ending.signal.aborted && retry <= MAX_RETRIES; ) {
      const response = await attempt(unsent);
      if (isAnswered(response)) retry = 0;
      else await pause(waitMs(retry++, response), ending.signal);
    }
    isSending = false;
  };
  /** The server keeps newer progress of another device. */
  const startAtSaved = async (response: Response) => {
    const saved = (await response.json().catch(() => null)) as Pick<
      SavedView,
      "progress" | "isCompleted"
    > | null;
    if (saved) listener.onRescued?.(saved.isCompleted ? 0 : saved.progress);
  };
  const attempt = async (report: Unsent) => {
    inFlight = report.sequence;
    const isRescued = reported === null;
    const response = await post(mediaId, report);
    inFlight = null;
    const newest = unsent?.sequence;
    if (isAnswered(response) && (newest === report.sequence || newest === beacon?.sequence)) drop();
    if (isAnswered(response) && report === beacon) beacon = null;
    if (!response?.ok) return response;
    reloadAfterSave();
    if (isRescued) void startAtSaved(response);
    else listener.onSaved?.();
    return response;
  };

  if (unsent) listener.onRescued?.(unsent.progress);
  void send();
  return {
    report(progress) {
      // The page is still open, so it sends its beacon again. The server counts it once.
      if (keepIfMoved(progress) === null && beacon !== null) store(beacon);
      void send();
    },
    leave(progress) {
      const hasUnsent = unsent !== null;
      const last = keepIfMoved(progress);
      if (last === null) return;
      if (!navigator.sendBeacon(paths.api.views(), bodyOf(mediaId, last))) return void send();
      beacon = last;
      // Browsers accept a beacon offline too, so its progress stays stored while an earlier report is pending or has failed.
      if (!hasUnsent) drop();
    },
    end(progress) {
      ending.abort();
      const last = progress === undefined ? null : keepIfMoved(progress);
      if (last !== null && last.sequence !== inFlight) void attempt(last);
    },
  };
}

function bodyOf(mediaId: string, { progress, sequence }: Unsent): URLSearchParams {
  return new URLSearchParams({ mediaId, progress: progress.toFixed(1), sequence: String(sequence) });
}

/** A refusal is an answer too. Only an outage, a limit or silence is retried. */
function isAnswered(response: Response | null): boolean {
  return response !== null && response.status < 500 && response.status !== 429;
}

/** A redirect means that the session is over, which is as final as a refusal. */
async function post(mediaId: string, unsent: Unsent): Promise<Response | null> {
  try {
    const response = await fetch(paths.api.views(), {
      method: "POST",
      body: bodyOf(mediaId, unsent),
      redirect: "manual",
      keepalive: true,
    });
    // Chromium keeps a no-store response open until its body is read.
    void response
      .clone()
      .arrayBuffer()
      .catch(() => {});
    return response;
  } catch {
    return null;
  }
}

function readUnsent(key: string): Unsent | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") as Unsent | null;
  } catch {
    return null;
  }
}

function writeUnsent(key: string, unsent: Unsent | null): void {
  try {
    if (unsent) sessionStorage.setItem(key, JSON.stringify(unsent));
    else sessionStorage.removeItem(key);
  } catch {}
}
