import { useFetcher, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { OwnBatch, OwnUpload } from "#app/domain/uploads/own-batches.server.ts";
import { paths } from "#app/paths.ts";
import { useNews } from "../use-news.ts";
import { type Chosen, fingerprintOf, type Given } from "./chosen-files.ts";
import { type Snapshot, sender } from "./sending.ts";

/** Of all names: a little less than the site reads of a form. */
const MAX_NAMES_BYTES = 500 * 1024;
const READ_AFTER_MS = 1_000;
/** A folder of a thousand photos finishes one every second, and each answer has the whole list. */
const READ_WHILE_SENDING_MS = 5_000;
const READ_EVERY_MS = 3_000;
const UNREADABLE = "One of the files could not be read. Please choose them again.";

const TOO_LONG =
  "The names of these files and folders are too long in total. Please choose fewer files at a time, or shorten the folder’s name.";

interface Declared {
  declared?: { id: string; path: string }[];
  error?: string;
}

interface Announced extends Chosen {
  fingerprint: string;
}

export type ShownBatch = Omit<OwnBatch, "createdAt" | "keptUntil"> & { createdAt: string; keptUntil: string };

export interface Uploads {
  batches: ShownBatch[];
  sending: Snapshot;
  choose: (given: Given) => void;
  /** Files are checked, or announced to the site. */
  isPreparing: boolean;
  error: string | undefined;
}

/** Announces chosen files to the site and sends them. Files that the site already waits for resume. */
export function useUploads(loaded: ShownBatch[], maxFiles: number): Uploads {
  const batches = useList(loaded);
  const sending = useSyncExternalStore(sender.subscribe, sender.read, sender.readOnServer);
  const fetcher = useFetcher<Declared>();
  const [waiting, setWaiting] = useState<Announced[][]>([]);
  const announced = useRef<Announced[]>([]);
  const [isLooking, setLooking] = useState(false);
  const [error, setError] = useState<string>();

  const { data, state, submit } = fetcher;
  useEffect(() => {
    if (data === undefined) return;
    setError(data.error);
    const files = new Map(announced.current.map(({ path, file }) => [path.normalize("NFC"), file]));
    sender.add(
      (data.declared ?? []).flatMap(({ id, path }) => {
        const file = files.get(path);
        return file === undefined ? [] : [{ id, name: path, file, sentBytes: 0 }];
      }),
    );
  }, [data]);
  // One after the other: a second submission would end the first, and its answer would be lost.
  useEffect(() => {
    const [next, ...rest] = waiting;
    if (state !== "idle" || next === undefined) return;
    setWaiting(rest);
    announced.current = next;
    // URL encoding would make nine bytes of a Chinese character.
    submit(formOf(next), { method: "post", action: paths.studioUpload(), encType: "multipart/form-data" });
  }, [state, submit, waiting]);

  const choose = async (given: Given) => {
    const chosen = await Promise.resolve(given).catch(() => null);
    if (chosen === null) return setError(UNREADABLE);
    if (chosen.length === 0) return;
    if (chosen.length > maxFiles) {
      setError(`Please choose up to ${maxFiles} files at a time. You can add more when these are uploaded.`);
      return;
    }
    setError(undefined);
    setLooking(true);
    try {
      const fresh = await continueKnown(chosen, batches);
      const namesBytes = (await new Response(formOf(fresh)).blob()).size;
      if (namesBytes > MAX_NAMES_BYTES) setError(TOO_LONG);
      else if (fresh.length > 0) setWaiting((before) => [...before, fresh]);
    } catch {
      setError(UNREADABLE);
    } finally {
      setLooking(false);
    }
  };
  const isPreparing = isLooking || waiting.length > 0 || state !== "idle";
  return { batches, sending, choose: (given) => void choose(given), isPreparing, error };
}

function formOf(files: Announced[]): FormData {
  const form = new FormData();
  form.set("intent", "declare");
  for (const { file, path, fingerprint } of files) form.append("file", `${file.size} ${fingerprint} ${path}`);
  return form;
}

/** Returns the files that the site does not know yet. Uploaded files of an unfinished batch are not sent again. */
async function continueKnown(chosen: Chosen[], batches: ShownBatch[]): Promise<Announced[]> {
  const listed = batches.flatMap(({ uploads }) => uploads);
  const fresh: Announced[] = [];
  for (const { file, path } of chosen) {
    const fingerprint = await fingerprintOf(file);
    const name = path.normalize("NFC");
    // Other clients of the protocol may send none.
    const isSame = (one: OwnUpload) =>
      one.bytes === file.size && (one.fingerprint === "" || one.fingerprint === fingerprint);
    const known = listed.find((one) => one.path === name && isSame(one));
    if (known === undefined) fresh.push({ file, path, fingerprint });
    else if (known.state === "uploading")
      sender.add([{ id: known.id, name, file, sentBytes: known.receivedBytes }]);
  }
  return fresh;
}

/** The site's list, which changes for one batch while another is sent. */
function useList(loaded: ShownBatch[]): ShownBatch[] {
  const { revalidate } = useRevalidator();
  const signIn = useCallback(() => {
    if (!sender.isBusy) revalidate();
  }, [revalidate]);
  const { news: batches, read } = useNews(loaded, paths.studioUploadNews(), signIn);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    sender.onSiteChange = () => {
      if (!sender.isBusy) clearTimeout(timer);
      else if (timer !== undefined) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          read();
        },
        sender.isBusy ? READ_WHILE_SENDING_MS : READ_AFTER_MS,
      );
    };
    return () => {
      sender.onSiteChange = () => {};
      clearTimeout(timer);
    };
  }, [read]);
  const isWorking = batches.some(({ step }) => step === "waiting" || step === "running");
  useEffect(() => {
    if (!isWorking) return;
    const timer = setInterval(read, READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [isWorking, read]);
  return batches;
}
