import { Button } from "@mantine/core";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { count } from "#app/counts.ts";
import { paths } from "#app/paths.ts";
import { sizeText } from "#app/sizes.ts";
import { capitalized } from "#app/texts.ts";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import "#app/ui/theme/mantine.css";
import studioStyles from "../studio.module.css";
import { BUSY, type SendingState, type SentFile, type Snapshot, sender } from "./sending.ts";
import styles from "./upload.module.css";
import { type GroupProgress, groupsOf, progressOf, timeText } from "./upload-groups.ts";
import type { ShownBatch } from "./use-uploads.ts";

interface UploadRowsProps {
  batch: ShownBatch;
  sending: Snapshot;
}

/** Files that are still coming. A folder is one row. */
export function UploadRows({ batch, sending }: UploadRowsProps) {
  const coming = batch.uploads.filter(({ state }) => state === "uploading" || state === "complete");
  const all = progressOf(coming, sending);
  const groups = groupsOf(coming);
  return (
    <>
      {groups.length > 1 && (
        <div className={styles.bar}>
          <p className={styles.name}>All files</p>
          <Line progress={all} label="All files" />
          <Controls progress={all} title="all files" mayRemove={false} />
        </div>
      )}
      <ul className={styles.rows}>
        {groups.map(({ key, title, isFolder, uploads }) => {
          const progress = progressOf(uploads, sending);
          return (
            <li key={key}>
              <p className={styles.name}>{isFolder ? `${title}, ${count(uploads.length, "file")}` : title}</p>
              <Line progress={progress} label={title} />
              <Failures files={progress.failed} isFolder={isFolder} />
              <Controls progress={progress} title={title} mayRemove />
            </li>
          );
        })}
      </ul>
      <p className={styles.muted}>
        When all files are uploaded, they become drafts. Unfinished files are deleted on {batch.keptUntil}.
      </p>
    </>
  );
}

function Line({ progress, label }: { progress: GroupProgress; label: string }) {
  return (
    <>
      <progress
        className={studioStyles.progress}
        max={Math.max(1, progress.bytes)}
        value={progress.sentBytes}
        aria-label={label}
      />
      <p className={styles.facts} data-wrong={progress.state === "signedOut" || undefined}>
        {sizeText(progress.sentBytes)} of {sizeText(progress.bytes)}
        {". "}
        {wordsOf(progress)}
      </p>
    </>
  );
}

const MAX_NAMED = 5;

function Failures({ files, isFolder }: { files: SentFile[]; isFolder: boolean }) {
  const others = files.length - MAX_NAMED;
  return (
    <>
      {files.slice(0, MAX_NAMED).map(({ id, name, sentence }) => (
        <p key={id} className={styles.facts} data-wrong>
          {isFolder && `${name.split("/").at(-1)}: `}
          {sentence}
        </p>
      ))}
      {others > 0 && (
        <p className={styles.facts} data-wrong>
          {count(others, "other file")} failed.
        </p>
      )}
    </>
  );
}

function wordsOf({ state, secondsLeft, here }: GroupProgress): ReactNode {
  if (state === "waiting") {
    const why = here.find((file) => file.state === "waiting" && file.sentence !== "")?.sentence;
    if (why !== undefined) return `${why} The upload will be retried automatically.`;
  }
  if (state === "signedOut") {
    return (
      <>
        Your session has ended.{" "}
        <a href={paths.signIn(paths.studio())} target="_blank" rel="noreferrer">
          Sign in in another tab
        </a>
        , and the upload will continue.
      </>
    );
  }
  if (state === "sending" && secondsLeft !== null) return `${capitalized(timeText(secondsLeft))} left.`;
  return WORDS[state];
}

const WORDS: Record<SendingState | "missing" | "arrived", string> = {
  queued: "Queued.",
  sending: "Uploading.",
  paused: "Paused.",
  waiting: "The site does not answer. The upload will continue when it does.",
  signedOut: "",
  failed: "Upload failed.",
  sent: "Uploaded.",
  arrived: "Uploaded.",
  missing: "Choose the same file again to continue.",
};

interface ControlsProps {
  progress: GroupProgress;
  title: string;
  mayRemove: boolean;
}

function Controls({ progress, title, mayRemove }: ControlsProps) {
  const { here, missing, state } = progress;
  const running = here.filter((file) => BUSY.includes(file.state));
  const resting = here.filter((file) => file.state === "paused" || isTriable(file));
  if (missing.length === 0) return null;
  return (
    <div className={styles.buttons}>
      {running.length > 0 && (
        <Small onClick={() => sender.pause(running.map(({ id }) => id))} title={title}>
          Pause
        </Small>
      )}
      {resting.length > 0 && running.length === 0 && (
        <Small onClick={() => sender.resume(resting.map(({ id }) => id))} title={title}>
          {state === "failed" ? "Try again" : "Resume"}
        </Small>
      )}
      {mayRemove && (
        <Form
          method="post"
          action={paths.studioUpload()}
          replace
          preventScrollReset
          onSubmit={() => sender.forget(missing.map(({ id }) => id))}
        >
          {missing.map(({ id }) => (
            <input key={id} type="hidden" name="upload" value={id} />
          ))}
          <Button type="submit" variant="default" size="sm" name="intent" value="remove">
            Remove<VisuallyHidden> {title}</VisuallyHidden>
          </Button>
        </Form>
      )}
    </div>
  );
}

function isTriable({ state, isRefused }: SentFile): boolean {
  return state === "failed" && !isRefused;
}

function Small({ title, children, onClick }: { title: string; children: string; onClick: () => void }) {
  return (
    <Button variant="default" size="sm" onClick={onClick}>
      {children}
      <VisuallyHidden> {title}</VisuallyHidden>
    </Button>
  );
}
