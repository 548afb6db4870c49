import { Stack } from "@mantine/core";
import { Link } from "@remix-run/react";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { type OpenedPart, PartForm } from "../part-form.tsx";
import styles from "./item.module.css";
import { MomentField, type PlayerProps, TimesPlayer } from "./moment-field.tsx";

interface TrailerPartProps {
  values: { from: string; to: string };
  form: OpenedPart;
  /** Null until it is made. */
  made: { url: string; width: number; height: number } | null;
  isWanted: boolean;
  isStopped: boolean;
  video: PlayerProps;
  /** The page that shows the progress. */
  encoding: string;
  /** `time`: in characters. */
  limits: { seconds: number; time: number };
}

export function TrailerPart({ values, form, made, isWanted, isStopped, ...page }: TrailerPartProps) {
  const { video, encoding, limits } = page;
  return (
    <PartForm
      id="trailer"
      title="Trailer"
      about={
        <Stack gap="md">
          <p>
            Up to {limits.seconds} seconds of the video, with its audio. Everyone who can see the page of this
            item can watch it, even without access to the video. Clear both times to remove the trailer.
          </p>
          {isWanted && (
            <p>
              The trailer is being made. <Link to={encoding}>See the progress</Link>.
            </p>
          )}
          {isStopped && (
            <p>
              The trailer could not be made. <Link to={encoding}>See why</Link>, then save it again to retry.
            </p>
          )}
          {made && (
            // biome-ignore lint/a11y/useMediaCaption: a part of the video below, which has them.
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
          <TimesPlayer {...video} />
        </Stack>
      }
      values={values}
      form={form}
    >
      {({ from, to }) =>
        ([from, to] as const).map((field) => (
          <MomentField
            key={field.name}
            id={field.id}
            name={field.name}
            label={fieldLabel(field.name)}
            typed={field.initialValue ?? ""}
            maxLength={limits.time}
            error={field.errors?.[0]}
          />
        ))
      }
    </PartForm>
  );
}
