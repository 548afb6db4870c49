import { Button, TextInput } from "@mantine/core";
import { useRef } from "react";
import { EXAMPLE_TIMES } from "#app/clock-times.ts";
import type { SectionFields } from "#app/domain/catalog/edit/item/section-fields.ts";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { clock } from "../../parts/clock.ts";
import styles from "./item.module.css";
import { AddRow, useRows } from "./name-rows.tsx";
import { type EditedSection, SectionForm } from "./section-form.tsx";

/** Characters. */
interface ChapterLimits {
  chapterTime: number;
  chapterTitle: number;
}

interface ChaptersSectionProps extends EditedSection<SectionFields["chapters"]> {
  limits: ChapterLimits;
  video: {
    poster: string | undefined;
    sources: { url: string; contentType: string }[];
    width: number;
    height: number;
  };
}

export function ChaptersSection({ limits, video, ...section }: ChaptersSectionProps) {
  const player = useRef<HTMLVideoElement>(null);
  return (
    <FormSection
      id="chapters"
      title={fieldLabel("chapters")}
      about={<p>Write times like {EXAMPLE_TIMES}. They decide the order. Clear a row to remove it.</p>}
      done={section.isSaved ? "The chapters are saved." : undefined}
    >
      {video.sources.length > 0 && (
        // biome-ignore lint/a11y/useMediaCaption: for finding a time, not for watching.
        <video
          ref={player}
          className={styles.player}
          controls
          playsInline
          preload="none"
          poster={video.poster}
          width={video.width}
          height={video.height}
          aria-label="The video, for finding times"
        >
          {video.sources.map(({ url, contentType }) => (
            <source key={url} src={url} type={contentType} />
          ))}
        </video>
      )}
      <SectionForm name="chapters" {...section}>
        {({ chapters }) => (
          <ChapterRows
            action={section.action}
            chapters={chapters}
            errors={section.errors}
            limits={limits}
            secondsNow={() => player.current?.currentTime ?? 0}
          />
        )}
      </SectionForm>
    </FormSection>
  );
}

interface ChapterRowsProps {
  action: string;
  chapters: SectionFields["chapters"]["chapters"];
  errors: Record<string, string>;
  limits: ChapterLimits;
  secondsNow(): number;
}

function ChapterRows({ action, chapters, errors, limits, secondsNow }: ChapterRowsProps) {
  const { rows, list, add } = useRows(chapters.length);
  return (
    <>
      <ol className={styles.rows} ref={list}>
        {rows.map((index) => (
          <li key={index} className={styles.chapter}>
            <TextInput
              id={`chapters-${index}`}
              name="time"
              aria-label={`Time of chapter ${index + 1}`}
              placeholder="0:00"
              defaultValue={chapters[index]?.time ?? ""}
              inputMode="text"
              autoComplete="off"
              maxLength={limits.chapterTime}
              error={errors[`chapters-${index}`] ?? (index === 0 ? errors.chapters : undefined)}
              size="md"
            />
            <TextInput
              name="chapter"
              aria-label={`Title of chapter ${index + 1}`}
              defaultValue={chapters[index]?.title ?? ""}
              autoComplete="off"
              maxLength={limits.chapterTitle}
              size="md"
            />
          </li>
        ))}
      </ol>
      <div className={styles.buttons}>
        <AddRow at={{ action, section: "chapters" }} onAdd={add} />
        <Button
          type="button"
          variant="default"
          className={styles.needsScript}
          onClick={() => setFirstEmpty(list.current, clock(secondsNow()))}
        >
          Use the current time
        </Button>
      </div>
    </>
  );
}

/** Fills the first empty time and moves the focus to its title. */
function setFirstEmpty(list: HTMLOListElement | null, time: string): void {
  const times = list?.querySelectorAll<HTMLInputElement>("input[name=time]") ?? [];
  const free = [...times].find(({ value }) => value.trim() === "");
  if (free === undefined) return;
  free.value = time;
  // A field that a script fills fires no event, so the form would count as unchanged.
  free.dispatchEvent(new Event("input", { bubbles: true }));
  free.closest("li")?.querySelector<HTMLInputElement>("input[name=chapter]")?.focus();
}
