import { Button } from "@mantine/core";
import { Form, Link } from "@remix-run/react";
import type { UploadResult } from "#app/domain/uploads/own-batches.server.ts";
import { paths } from "#app/paths.ts";
import { Problem } from "#app/ui/forms/problem.tsx";
import { count } from "#app/ui/parts/format-length.ts";
import { CheckIcon, ProblemIcon } from "#app/ui/parts/icons.tsx";
import "#app/ui/theme/mantine.css";
import studioStyles from "../studio.module.css";
import type { Snapshot } from "./sending.ts";
import styles from "./upload.module.css";
import { UploadRows, WithoutScripts } from "./upload-rows.tsx";
import type { ShownBatch } from "./use-uploads.ts";

interface UploadBatchProps {
  batch: ShownBatch;
  sending: Snapshot;
  isScripted: boolean;
}

/** The files that were chosen at once. */
export function UploadBatch({ batch, sending, isScripted }: UploadBatchProps) {
  const { id, step, takenPart, problem, createdAt, files, results } = batch;
  const titleId = `batch-${id}`;
  return (
    <section className={styles.batch} aria-labelledby={titleId}>
      <header className={styles.heading}>
        <h2 id={titleId}>{count(files, "file")}</h2>
        <p className={styles.muted}>{createdAt}</p>
      </header>
      {step === "coming" && <UploadRows batch={batch} sending={sending} isScripted={isScripted} />}
      {step === "waiting" && (
        <p role="status">All files have arrived. {whenTaken(batch)} You may leave this page.</p>
      )}
      {step === "running" && (
        <div className={styles.bar} role="status">
          <p>Making drafts of the files, {Math.round(takenPart * 100)} % done. You may leave this page.</p>
          <progress className={studioStyles.progress} max={1} value={takenPart} aria-label="Taken in" />
        </div>
      )}
      <Problem>{problem ?? undefined}</Problem>
      {results.length > 0 && (
        <ul className={styles.results}>
          {results.map((result) => (
            <Result key={result.key} result={result} />
          ))}
        </ul>
      )}
      {step === "ended" && batch.inTheWay > 0 && <p>{whatIsLeftOut(batch)}</p>}
      {step === "ended" && (
        <div className={styles.buttons}>
          {batch.inTheWay > 0 && <BatchButton id={id} intent="goOn" label={goOnLabel(batch)} />}
          {batch.mayRetry && <BatchButton id={id} intent="retry" label="Try again" />}
          <BatchButton id={id} intent="dismiss" label="Dismiss" />
        </div>
      )}
      {step === "ended" && batch.mayRetry && (
        <p className={styles.muted}>What was refused stays here for another try until {batch.keptUntil}.</p>
      )}
    </section>
  );
}

function whenTaken({ batchesBefore }: ShownBatch): string {
  if (batchesBefore === 0) return "They become drafts in a moment.";
  const before = batchesBefore === 1 ? "One other upload is" : `${batchesBefore} other uploads are`;
  return `${before} processed first; videos take a while. Then these become drafts.`;
}

function goOnLabel({ inTheWay }: ShownBatch): string {
  return inTheWay === 1 ? "Go on without it" : "Go on without them";
}

function whatIsLeftOut(batch: ShownBatch): string {
  const { inTheWay, heldBack } = batch;
  const waiting = heldBack === 1 ? "one other file waits" : `${heldBack} other files wait`;
  return `“${goOnLabel(batch)}” leaves out ${count(inTheWay, "file")} that cannot be used; ${waiting} for that.`;
}

function Result({ result }: { result: UploadResult }) {
  const { title, state, note, mediaId, files } = result;
  const isRefused = state === "refused";
  return (
    <li data-refused={isRefused || undefined}>
      {isRefused ? <ProblemIcon /> : <CheckIcon />}
      <div>
        <p className={styles.name}>
          {mediaId === null || isRefused ? title : <Link to={paths.studioItem(mediaId)}>{title}</Link>}
        </p>
        <p className={styles.muted}>{sentenceOf(state, note, files)}</p>
      </div>
    </li>
  );
}

function sentenceOf(state: UploadResult["state"], note: string | null, files: number): string {
  const many = files > 1 ? `${count(files, "file")}, ` : "";
  if (state === "refused") return `${many}refused: ${note ?? "no reason is known"}`;
  if (state === "passedOver") return `${many}passed over: ${note ?? "not needed"}`;
  const text = state === "present" ? `${many}was here already` : `${many}taken in`;
  return note === null ? text : `${text}. ${note}`;
}

function BatchButton({
  id,
  intent,
  label,
}: {
  id: string;
  intent: "retry" | "dismiss" | "goOn";
  label: string;
}) {
  return (
    <Form method="post" action={paths.studioUpload()} replace preventScrollReset>
      <input type="hidden" name="batch" value={id} />
      <WithoutScripts />
      <Button type="submit" variant="default" name="intent" value={intent}>
        {label}
      </Button>
    </Form>
  );
}
