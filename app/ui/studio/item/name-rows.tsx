import { Button, TextInput } from "@mantine/core";
import { type RefObject, useEffect, useRef, useState } from "react";
import "#app/ui/theme/mantine.css";
import styles from "./item.module.css";

/** Without JavaScript, a save brings the next row. */
export function AddRow({ onAdd }: { onAdd(): void }) {
  return (
    <Button type="button" variant="default" className={styles.needsScript} onClick={onAdd}>
      Add a row
    </Button>
  );
}

interface Rows {
  rows: number[];
  /** Gives the focus to an added row. */
  list: RefObject<HTMLOListElement>;
  add(): void;
}

/** One more row than there are values, so that adding one needs no button. */
export function useRows(count: number): Rows {
  const [added, setAdded] = useState(0);
  const list = useRef<HTMLOListElement>(null);

  useEffect(() => {
    if (added > 0) list.current?.querySelector<HTMLInputElement>("li:last-child input")?.focus();
  }, [added]);

  const rows = Array.from({ length: count + 1 + added }, (_, index) => index);
  return { rows, list, add: () => setAdded(added + 1) };
}

interface NameRowsProps {
  id: string;
  name: string;
  label: string;
  values: string[];
  options: string[];
  maxLength: number;
  error: string | undefined;
}

export function NameRows({ id, name, label, values, options, maxLength, error }: NameRowsProps) {
  const { rows, list, add } = useRows(values.length);
  const names = `${id}-names`;
  return (
    <>
      <ol className={styles.rows} ref={list}>
        {rows.map((index) => (
          <li key={index}>
            <TextInput
              id={`${id}-${index}`}
              name={name}
              aria-label={`${label} ${index + 1}`}
              defaultValue={values[index] ?? ""}
              list={options.length > 0 ? names : undefined}
              autoComplete="off"
              maxLength={maxLength}
              error={index === 0 ? error : undefined}
              size="md"
            />
          </li>
        ))}
      </ol>
      <datalist id={names}>
        {options.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <div>
        <AddRow onAdd={add} />
      </div>
    </>
  );
}
