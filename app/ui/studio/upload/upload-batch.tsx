import { Button } from "@mantine/core";
import { Form, Link } from "@remix-run/react";
import { count } from "#app/counts.ts";
import type { UploadResult } from "#app/domain/uploads/own-batches.server.ts";
import { paths } from "#app/paths.ts";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { CheckIcon, ErrorIcon } from "#app/ui/parts/icons.tsx";
import "#app/ui/theme/mantine.css";
import studioStyles from "../studio.module.css";
import type { Snapshot } from "./sending.ts";
import styles from "./upload.module.css";
import { UploadRows } from "./upload-rows.tsx";
import type { ShownBatch } from "./use-uploads.ts";

interface UploadBatchProps {
  batch: ShownBatch;
  sending: Snapshot;
}

export function UploadBatch({ batch, sending }: UploadBatchProps) {
  const { id, step, importedPart, problem, createdAt, files, results } = batch;
  const titleId = `batch-${id}`;
  return (
    <section className={styles.batch} aria-labelledby={titleId}>
      <header className={styles.heading}>
        <h2 id={titleId}>{count(files, "file")}</h2>
        <p className={styles.muted}>{createdAt}</p>
      </header>
      {step === "coming" && <UploadRows batch={batch} sending={sending} />}
      {step === "waiting" && (
        <p role="status">All files are uploaded. {whenImported(batch)} You can leave this page.</p>
      )}
      {step === "running" && (
        <div className={styles.bar} role="status">
          <p>Importing the files: {Math.round(importedPart * 100)}% done. You can leave this page.</p>
          <progress className={studioStyles.progress} max={1} value={importedPart} aria-label="Imported" />
        </div>
      )}
      <FormError>{problem ?? undefined}</FormError>
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
        <p className={styles.muted}>Refused files stay here for another try until {batch.keptUntil}.</p>
      )}
    </section>
  );
}

function whenImported({ batchesBefore }: ShownBatch): string {
  if (batchesBefore === 0) return "They will become drafts in a moment.";
  const before = batchesBefore === 1 ? "One other upload comes" : `${batchesBefore} other uploads come`;
  return `${before} first, and videos take a while. Then these files become drafts.`;
}

function goOnLabel({ inTheWay }: ShownBatch): string {
  return inTheWay === 1 ? "Continue without it" : "Continue without them";
}

function whatIsLeftOut(batch: ShownBatch): string {
  const { inTheWay, heldBack } = batch;
  const others = heldBack === 1 ? "the other file" : `the ${heldBack} other files`;
  return `“${goOnLabel(batch)}” leaves out ${count(inTheWay, "file")} that cannot be used, and imports ${others}.`;
}

function Result({ result }: { result: UploadResult }) {
  const { title, state, note, mediaId, files } = result;
  const isRefused = state === "refused";
  return (
    <li data-refused={isRefused || undefined}>
      {isRefused ? <ErrorIcon /> : <CheckIcon />}
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
  if (state === "refused") return `${many}refused: ${note ?? "unknown reason"}`;
  if (state === "passedOver") return `${many}skipped: ${note ?? "not needed"}`;
  const text = state === "present" ? `${many}already here` : `${many}imported`;
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
      <Button type="submit" variant="default" name="intent" value={intent}>
        {label}
      </Button>
    </Form>
  );
}
