// Needed because in an outage each of a thousand photos would retry every five seconds: decision 161.
import { FULL, type SendFailure, sendFile } from "./send-file.ts";

/** Two, because small pictures mostly wait for answers; more would slow a phone's connection down. */
const AT_ONCE = 2;
const TRY_AGAIN_MS = 5_000;
const MEASURED_MS = 10_000;
const PUBLISHED_MS = 250;
const UNAUTHORIZED = 401;
const GONE = 404;
/** Neither a video nor a picture, or unreadable. */
const UNSUPPORTED = 415;
/** Perhaps only this file has a fault. */
const FAILED_HERE = 500;
const TOO_MANY = 429;

export type SendingState =
  | "queued"
  | "sending"
  | "paused"
  /** The site does not answer. It continues when the site does. */
  | "waiting"
  /** It continues after a sign-in. */
  | "signedOut"
  | "failed"
  | "sent";

/** Such a file keeps its turn, so that the others do not ask in vain. */
const HELD: SendingState[] = ["waiting", "signedOut"];
export const BUSY: SendingState[] = ["queued", "sending", ...HELD];

export interface SentFile {
  id: string;
  name: string;
  bytes: number;
  sentBytes: number;
  state: SendingState;
  sentence: string;
  /** Another try would be refused, too. */
  isRefused: boolean;
}

interface Entry extends SentFile {
  file: File;
  /** Ends the request, or the wait for the next one. */
  stop: () => void;
  /** Its request finds out whether the site accepts files again. */
  isTrial: boolean;
  /** Uploaded before it was chosen again. */
  hasArrived: boolean;
}

export interface Snapshot {
  files: ReadonlyMap<string, SentFile>;
  bytesPerSecond: number;
}

const EMPTY: Snapshot = { files: new Map(), bytesPerSecond: 0 };

/** Sends files while the browser shows other pages of the site. A reload ends it; the site knows where it stopped. */
class Sender {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  #snapshot = EMPTY;
  #samples: { at: number; bytes: number }[] = [];
  #isPublished = true;
  onSiteChange = () => {};

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly read = () => this.#snapshot;
  readonly readOnServer = () => EMPTY;

  get isBusy(): boolean {
    return [...this.#entries.values()].some(({ state }) => BUSY.includes(state));
  }

  add(files: { id: string; name: string; file: File; sentBytes: number }[]): void {
    for (const { id, name, file, sentBytes } of files) {
      const known = this.#entries.get(id);
      if (known !== undefined && known.state !== "failed" && known.state !== "sent") continue;
      const bytes = file.size;
      this.#entries.set(id, {
        id,
        name,
        file,
        bytes,
        sentBytes,
        state: "queued",
        sentence: "",
        isRefused: false,
        stop: () => {},
        isTrial: false,
        hasArrived: known?.state === "sent" || known?.hasArrived === true,
      });
    }
    this.#goOn();
  }

  pause(ids: string[]): void {
    for (const entry of this.#chosen(ids)) {
      if (entry.state === "failed" || entry.state === "sent") continue;
      entry.stop();
      entry.state = "paused";
    }
    this.#goOn();
  }

  resume(ids: string[]): void {
    for (const entry of this.#chosen(ids)) {
      if (entry.state === "sending" || entry.state === "sent" || entry.isRefused) continue;
      entry.stop();
      entry.state = "queued";
    }
    this.#goOn();
  }

  forget(ids: string[]): void {
    for (const entry of this.#chosen(ids)) {
      entry.stop();
      this.#entries.delete(entry.id);
    }
    this.#goOn();
  }

  #chosen(ids: string[]): Entry[] {
    return ids.flatMap((id) => this.#entries.get(id) ?? []);
  }

  #goOn(): void {
    const entries = [...this.#entries.values()];
    const taken = entries.filter(({ state }) => state === "sending" || HELD.includes(state)).length;
    const next = entries.filter(({ state }) => state === "queued").slice(0, Math.max(0, AT_ONCE - taken));
    for (const entry of next) this.#send(entry);
    this.#publish();
  }

  #send(entry: Entry, { isTrial = false } = {}): void {
    entry.state = "sending";
    entry.isTrial = isTrial;
    entry.sentence = "";
    let isOver = false;
    let abort = () => {};
    entry.stop = () => {
      isOver = true;
      abort();
    };
    const unlessOver = (act: () => void) => () => {
      if (isOver) return;
      act();
      this.#publishSoon();
    };
    const started = sendFile(entry.id, entry.file, {
      onProgress: (bytes) => {
        if (isOver) return;
        this.#measure(Math.max(0, bytes - entry.sentBytes));
        entry.sentBytes = bytes;
        this.#publishSoon();
      },
      onStored: unlessOver(() => this.#endTrial(entry)),
      onSuccess: unlessOver(() => {
        isOver = true;
        this.#succeed(entry);
      }),
      onFailure: (failure) =>
        unlessOver(() => {
          isOver = true;
          // It was imported meanwhile.
          if (failure.status === GONE && entry.hasArrived) this.#succeed(entry);
          else this.#fail(entry, failure);
        })(),
    });
    started.then(
      (upload) => {
        abort = () => void upload.abort();
        if (isOver) abort();
      },
      // The library could not be loaded.
      () => {
        if (!isOver)
          this.#fail(entry, { status: 0, sentence: "", retryAfterSeconds: null, isFileGone: false });
      },
    );
  }

  /** The site answers again, so the others need not wait for their own tries. */
  #endTrial(entry: Entry): void {
    if (!entry.isTrial) return;
    entry.isTrial = false;
    for (const other of this.#entries.values()) {
      if (!HELD.includes(other.state)) continue;
      other.stop();
      other.state = "queued";
    }
    this.#goOn();
  }

  #succeed(entry: Entry): void {
    entry.state = "sent";
    entry.sentBytes = entry.bytes;
    this.#endTrial(entry);
    this.onSiteChange();
    this.#goOn();
  }

  #fail(entry: Entry, { status, sentence, retryAfterSeconds, isFileGone }: SendFailure): void {
    const isUnanswered = status === 0 && !isFileGone;
    const isTemporary = isUnanswered || status === TOO_MANY || (status >= 500 && status !== FULL);
    entry.state = status === UNAUTHORIZED ? "signedOut" : isTemporary ? "waiting" : "failed";
    entry.isRefused = status === UNSUPPORTED;
    entry.sentence = sentence || (entry.state === "failed" ? "The site did not accept this file." : "");
    if (entry.state === "failed") this.onSiteChange();
    else {
      const waitMs = retryAfterSeconds === null ? TRY_AGAIN_MS : retryAfterSeconds * 1000;
      this.#hold(entry, waitMs, () => (status === FAILED_HERE ? this.#moveBack(entry) : this.#try(entry)));
    }
    this.#goOn();
  }

  #hold(entry: Entry, waitMs: number, then: () => void): void {
    const timer = setTimeout(then, waitMs);
    entry.stop = () => clearTimeout(timer);
  }

  /** One file asks for all. */
  #try(entry: Entry): void {
    const isTried = [...this.#entries.values()].some(({ state, isTrial }) => isTrial && state === "sending");
    if (isTried) this.#hold(entry, TRY_AGAIN_MS, () => this.#try(entry));
    else this.#send(entry, { isTrial: true });
    this.#publishSoon();
  }

  /** To the end of the queue, so that it does not hold up the others. */
  #moveBack(entry: Entry): void {
    this.#entries.delete(entry.id);
    this.#entries.set(entry.id, entry);
    entry.state = "queued";
    this.#goOn();
  }

  #measure(bytes: number): void {
    const now = performance.now();
    this.#samples = [...this.#samples.filter(({ at }) => now - at < MEASURED_MS), { at: now, bytes }];
  }

  get #bytesPerSecond(): number {
    const [first] = this.#samples;
    if (first === undefined) return 0;
    const seconds = Math.max(1, (performance.now() - first.at) / 1000);
    return this.#samples.reduce((sum, { bytes }) => sum + bytes, 0) / seconds;
  }

  /** Delayed, because progress comes with every packet. */
  #publishSoon(): void {
    if (!this.#isPublished) return;
    this.#isPublished = false;
    setTimeout(() => {
      this.#isPublished = true;
      this.#publish();
    }, PUBLISHED_MS);
  }

  #publish(): void {
    const files = new Map<string, SentFile>();
    for (const [id, { file: _, stop: __, isTrial: ___, hasArrived: ____, ...shown }] of this.#entries) {
      files.set(id, shown);
    }
    this.#snapshot = { files, bytesPerSecond: this.#bytesPerSecond };
    for (const listener of this.#listeners) listener();
  }
}

export const sender = new Sender();
