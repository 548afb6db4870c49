import { Stack, TextInput } from "@mantine/core";
import { EXAMPLE_TIMES } from "#app/clock-times.ts";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { type OpenedPart, type PartFields, PartForm, rowsOf } from "../part-form.tsx";
import styles from "./item.module.css";
import { type PlayerProps, TimeButton, TimesPlayer, takeTime } from "./moment-field.tsx";
import { AddRow, useRows } from "./name-rows.tsx";

type Chapters = { chapters: string[]; titles: string[] };

interface ChaptersPartProps {
  values: Chapters;
  form: OpenedPart;
  /** Characters. */
  limits: { time: number; title: number };
  video: PlayerProps;
}

export function ChaptersPart({ video, limits, ...part }: ChaptersPartProps) {
  return (
    <PartForm
      id="chapters"
      title={fieldLabel("chapters")}
      about={
        <Stack gap="md">
          <p>Write times like {EXAMPLE_TIMES}. They decide the order. Clear a row to remove it.</p>
          <TimesPlayer {...video} />
        </Stack>
      }
      {...part}
    >
      {({ chapters, titles }) => <ChapterRows chapters={chapters} titles={titles} limits={limits} />}
    </PartForm>
  );
}

function ChapterRows({ chapters, titles, limits }: PartFields<Chapters> & Pick<ChaptersPartProps, "limits">) {
  const typed = { times: rowsOf(chapters.initialValue), titles: rowsOf(titles.initialValue) };
  const { rows, list, add } = useRows(Math.max(typed.times.length, typed.titles.length));
  const error = (index: number) => chapters.allErrors[`${chapters.name}[${index}]`]?.[0];
  return (
    <>
      <ol className={styles.rows} ref={list}>
        {rows.map((index) => (
          <li key={index} className={styles.chapter}>
            <TextInput
              id={`${chapters.id}-${index}`}
              name={chapters.name}
              aria-label={`Time of chapter ${index + 1}`}
              placeholder="0:00"
              defaultValue={typed.times[index]}
              autoComplete="off"
              maxLength={limits.time}
              error={error(index) ?? (index === 0 ? chapters.errors?.[0] : undefined)}
              size="md"
            />
            <TextInput
              name={titles.name}
              aria-label={`Title of chapter ${index + 1}`}
              defaultValue={typed.titles[index]}
              autoComplete="off"
              maxLength={limits.title}
              size="md"
            />
          </li>
        ))}
      </ol>
      <div className={styles.buttons}>
        <AddRow onAdd={add} />
        <TimeButton onTake={() => setFirstEmpty(list.current, chapters.name)} />
      </div>
    </>
  );
}

/** Fills the first empty time and moves the focus to its title. */
function setFirstEmpty(list: HTMLOListElement | null, name: string): void {
  const times = list?.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`) ?? [];
  const free = [...times].find(({ value }) => value.trim() === "");
  if (free === undefined) return;
  takeTime(free);
  free.closest("li")?.querySelector<HTMLInputElement>(`input:not([name="${name}"])`)?.focus();
}
