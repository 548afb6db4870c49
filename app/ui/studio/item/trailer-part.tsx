import { Button, Group, Stack } from "@mantine/core";
import { Form, Link } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { FormError } from "#app/ui/forms/form-error.tsx";
import "#app/ui/theme/mantine.css";
import type { TrailerAnswer } from "#app/web/forms/trailer-form.server.ts";
import type { FilePartAnswer } from "#app/web/studio/file-part.server.ts";
import { TypedForm } from "../typed-form.tsx";
import { FilePart } from "./file-part.tsx";
import styles from "./item.module.css";
import { MomentField, type PlayerProps, TimesPlayer } from "./moment-field.tsx";

type Range = { from: number; to: number };

interface TrailerPartProps {
  id: string;
  /** To notice that somebody else has chosen another. */
  opened: Range | null;
  times: { from: string; to: string };
  /** Null until it is made. */
  made: { url: string; width: number; height: number } | null;
  isWanted: boolean;
  isStopped: boolean;
  video: PlayerProps;
  notice: string | null;
  answer: FilePartAnswer<TrailerAnswer> | undefined;
  /** `time`: in characters. */
  limits: { seconds: number; time: number };
}

const ENDS = [
  ["from", "Start"],
  ["to", "End"],
] as const;

export function TrailerPart({
  id,
  made,
  isWanted,
  isStopped,
  notice,
  answer,
  limits,
  ...props
}: TrailerPartProps) {
  const sent = answer?.sent;
  const opened = sent === undefined ? props.opened : sent.opened;
  const times = sent?.typed ?? props.times;
  const action = paths.studioItemPart(id, "trailer");
  const hidden = <input type="hidden" name="opened" value={JSON.stringify(opened)} />;
  const encoding = paths.studioItemPart(id, "files");
  return (
    <FilePart
      id="trailer"
      title="Trailer"
      about={
        <p>
          Up to {limits.seconds} seconds of the video, with its audio. Everyone who can see the page of this
          item can watch it, even without access to the video.
        </p>
      }
      notice={notice}
      answer={answer}
      refusals={({ errors }) =>
        Object.entries(errors).map(([field, sentence]) => ({ at: `trailer-${field}`, sentence }))
      }
    >
      <FormError id="trailer-form">{sent?.errors.form}</FormError>
      {isWanted && (
        <p className={styles.muted}>
          The trailer is being made. <Link to={encoding}>See the progress</Link>.
        </p>
      )}
      {isStopped && (
        <p>
          The trailer could not be made. <Link to={encoding}>See why</Link>, then save it again to retry.
        </p>
      )}
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
      <TypedForm method="post" action={action}>
        {hidden}
        <Stack gap="md">
          {ENDS.map(([name, label]) => (
            <MomentField
              key={name}
              id={`trailer-${name}`}
              name={name}
              label={label}
              typed={times[name]}
              maxLength={limits.time}
              error={sent?.errors[name]}
            />
          ))}
          <Group>
            <Button type="submit" name="intent" value="save">
              Save the trailer
            </Button>
          </Group>
        </Stack>
      </TypedForm>
      {opened !== null && (
        <Form method="post" action={action}>
          {hidden}
          <Button type="submit" name="intent" value="remove" variant="default">
            Remove the trailer
          </Button>
        </Form>
      )}
    </FilePart>
  );
}
