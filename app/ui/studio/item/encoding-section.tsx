import { Button } from "@mantine/core";
import { Form } from "@remix-run/react";
import { useEffect } from "react";
import { count } from "#app/counts.ts";
import type { EncodingChange } from "#app/domain/catalog/encoding/change-encoding.server.ts";
import type { EncodingStep, EncodingView } from "#app/domain/catalog/encoding/encoding-view.server.ts";
import { capitalized } from "#app/texts.ts";
import type { ReceivedEvent } from "#app/ui/live/live-connection.ts";
import { LIVE_EVENT_NAME } from "#app/ui/live/live-updates.tsx";
import "#app/ui/theme/mantine.css";
import type { FormGroupAnswer } from "#app/web/studio/form-group.server.ts";
import studioStyles from "../studio.module.css";
import { useNews } from "../use-news.ts";
import { FormGroup } from "./form-group.tsx";
import styles from "./item.module.css";

interface EncodingSectionProps {
  action: string;
  encoding: EncodingView;
  mediaId: string;
  news: string;
  notice: string | null;
  answer: FormGroupAnswer<object> | undefined;
}

const MINUTE_SECONDS = 60;

const BUTTONS: Record<EncodingChange, string> = {
  retry: "Try again",
  cancel: "Cancel",
  again: "Encode all files again",
};

export function EncodingSection({ action, encoding, mediaId, news, notice, answer }: EncodingSectionProps) {
  const { news: shown, read } = useNews(encoding, news);
  useEffect(() => {
    const heard = (event: Event) => {
      const { kind, mediaId: about } = (event as CustomEvent<ReceivedEvent>).detail;
      if (kind === "gap" || (kind === "encoding" && about === mediaId)) read();
    };
    window.addEventListener(LIVE_EVENT_NAME, heard);
    return () => window.removeEventListener(LIVE_EVENT_NAME, heard);
  }, [read, mediaId]);
  const { steps, tries, isOpen, changes, ...rest } = shown;
  return (
    <FormGroup
      id="encoding"
      title="Encoding"
      about={
        <p>
          The sizes that players choose from, the files for downloads, the timeline pictures and a short
          preview. New files replace the old ones when all of a kind are ready.
        </p>
      }
      notice={notice}
      answer={answer}
    >
      {steps.length === 0 ? (
        <p className={styles.muted}>This item has only the files from its import.</p>
      ) : (
        <>
          <p role="status">{sentenceOf({ steps, isOpen, ...rest })}</p>
          <ul className={styles.lines}>
            {steps.map((step) => (
              <li key={step.step}>
                <div>
                  <p>{titleOf(step.step)}</p>
                  <p className={styles.muted}>{stateOf(step, tries)}</p>
                  {step.state === "running" && (
                    <progress
                      className={studioStyles.progress}
                      max={100}
                      value={step.percent}
                      aria-label={`Progress of ${titleOf(step.step)}`}
                    />
                  )}
                  {step.state === "done" &&
                    step.lines.map((line) => <p key={line}>{`${capitalized(line)}.`}</p>)}
                  {step.lines.length > 0 && step.state !== "done" && (
                    <details>
                      <summary>Last messages</summary>
                      <pre className={styles.said}>{step.lines.join("\n")}</pre>
                    </details>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className={styles.buttons}>
        {changes.map((change) => (
          <Form key={change} method="post" action={action}>
            <Button type="submit" name="intent" value={change} variant="default">
              {BUTTONS[change]}
            </Button>
          </Form>
        ))}
      </div>
    </FormGroup>
  );
}

const WAITING = {
  item: "Encoding waits until the item is back.",
  worker: "This site has no worker that encodes videos.",
} as const;

function sentenceOf({
  steps,
  isOpen,
  waitsFor,
  secondsLeft,
  videosBefore,
}: Omit<EncodingView, "changes" | "tries">): string {
  const done = steps.filter(({ state }) => state === "done").length;
  const failed = steps.filter(({ state }) => state === "failed").length;
  const all = `${done} of ${count(steps.length, "step")} done.`;
  if (failed > 0) {
    const goesOn = waitsFor === null ? "The others continue." : WAITING[waitsFor];
    return `${all} ${count(failed, "step")} failed. ${isOpen ? goesOn : "There are no more attempts."}`;
  }
  if (!isOpen) return all;
  if (waitsFor !== null) return `${all} ${WAITING[waitsFor]}`;
  const before = videosBefore > 0 ? ` ${count(videosBefore, "video")} ahead of it.` : "";
  if (secondsLeft === null) return `${all}${before}`;
  const minutes = Math.max(1, Math.round(secondsLeft / MINUTE_SECONDS));
  return `${all}${before} About ${count(minutes, "minute")} left.`;
}

const TITLES: Record<string, string> = {
  source: "Analyzing the source and its loudness",
  candidate: "Pictures for the cover",
  sprite: "Timeline pictures",
  hover: "Three-second preview",
  trailer: "Trailer and its preview",
};

function titleOf(step: string): string {
  const [, kind, number] = /^(rung|video|sound)-(\d+)$/.exec(step) ?? [];
  if (kind === "rung") return `Size for players, ${number}p`;
  if (kind === "sound") return `Audio track ${number}`;
  if (kind === "video") return `File for downloads, ${number}p`;
  return TITLES[step] ?? step;
}

function stateOf({ state, percent, attempts }: EncodingStep, tries: number): string {
  switch (state) {
    case "waiting":
      return attempts > 0 ? `Waiting for attempt ${attempts + 1} of ${tries}` : "Waiting";
    case "running":
      return attempts > 1 ? `${percent}%, attempt ${attempts} of ${tries}` : `${percent}%`;
    case "done":
      return "Done";
    case "failed":
      return "Failed";
    case "cancelled":
      return "Canceled";
  }
}
