import { Button, Group, Stack } from "@mantine/core";
import { Form } from "@remix-run/react";
import type { RequestedCode } from "#app/ui/forms/code-field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { TypedForm } from "../typed-form.tsx";
import { FormCode } from "./form-code.tsx";
import styles from "./item.module.css";
import { MomentField, type PlayerProps, TimesPlayer } from "./moment-field.tsx";

interface TrailerSectionProps {
  action: string;
  /** To notice that somebody else has chosen another. */
  opened: { from: number; to: number } | null;
  times: { from: string; to: string };
  /** Null until it is made. */
  made: { url: string; width: number; height: number } | null;
  isWanted: boolean;
  isStopped: boolean;
  longest: number;
  answer:
    | {
        opened: { from: number; to: number } | null;
        typed: { from: string; to: string };
        errors: { from?: string; to?: string; form?: string };
      }
    | undefined;
  saved: "trailer" | "noTrailer" | null;
  code: { intent: string; request: RequestedCode } | null;
  hasOutbox: boolean;
  limits: { chapterTime: number };
  video: PlayerProps;
}

const MESSAGES = { trailer: "The trailer is being made.", noTrailer: "The trailer is removed." };
const ENDS = [
  ["from", "Start"],
  ["to", "End"],
] as const;

export function TrailerSection(props: TrailerSectionProps) {
  const { action, made, isWanted, isStopped, longest, answer, saved, code, hasOutbox, limits } = props;
  const opened = answer === undefined ? props.opened : answer.opened;
  const times = answer?.typed ?? props.times;
  const codeFor = (intent: string) => (code?.intent === intent ? code.request : null);
  const hidden = (
    <>
      <input type="hidden" name="section" value="trailer" />
      <input type="hidden" name="opened" value={JSON.stringify(opened)} />
    </>
  );
  return (
    <FormSection
      id="trailer"
      title="Trailer"
      about={
        <p>
          Up to {longest} seconds of the video, with its audio. Everyone who can see the page of this item can
          watch it, even without access to the video.
        </p>
      }
      done={saved === null ? undefined : MESSAGES[saved]}
    >
      <FormError id="trailer-form">{answer?.errors.form}</FormError>
      {isWanted && (
        <p className={styles.muted}>It is being made. The section “Encoding” shows the progress.</p>
      )}
      {isStopped && <p>It was not made. The section “Encoding” says why. Save the trailer to try again.</p>}
      {made && (
        // biome-ignore lint/a11y/useMediaCaption: a part of the video above, which has them.
        <video
          className={styles.player}
          controls
          playsInline
          preload="none"
          src={made.url}
          width={made.width}
          height={made.height}
          aria-label="The trailer that visitors see now"
        />
      )}
      <TimesPlayer {...props.video} />
      <TypedForm method="post" action={`${action}#trailer`}>
        {hidden}
        <Stack gap="md">
          {ENDS.map(([name, label]) => (
            <MomentField
              key={name}
              id={`trailer-${name}`}
              name={name}
              label={label}
              typed={times[name]}
              maxLength={limits.chapterTime}
              error={answer?.errors[name]}
            >
              {(field, take) => (
                <Group gap="sm" align="flex-end">
                  {field}
                  {take("Use the player's time")}
                </Group>
              )}
            </MomentField>
          ))}
          <FormCode code={codeFor("save")} intent="save" hasOutbox={hasOutbox} />
          <Group>
            <Button type="submit" name="intent" value="save">
              Save the trailer
            </Button>
          </Group>
        </Stack>
      </TypedForm>
      {opened !== null && (
        <Form method="post" action={`${action}#trailer`}>
          {hidden}
          <Stack gap="md" align="flex-start">
            <FormCode code={codeFor("remove")} intent="remove" hasOutbox={hasOutbox} />
            <Button type="submit" name="intent" value="remove" variant="default">
              Remove the trailer
            </Button>
          </Stack>
        </Form>
      )}
    </FormSection>
  );
}
