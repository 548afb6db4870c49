import { TextInput } from "@mantine/core";
import { type RefObject, useEffect, useRef, useState } from "react";
import "#app/ui/theme/mantine.css";
import styles from "./item.module.css";
import { StepButton } from "./step-button.tsx";

interface AddRowProps {
  action: string;
  section: string;
  onAdd(): void;
}

/** Sends the form without JavaScript; the answer has one row more. */
export function AddRow({ action, section, onAdd }: AddRowProps) {
  return (
    <StepButton
      action={action}
      section={section}
      intent="row"
      onClick={(event) => {
        event.preventDefault();
        onAdd();
      }}
    >
      Add a row
    </StepButton>
  );
}

interface Rows {
  /** Their indexes. */
  rows: number[];
  /** The element of the rows, in which an added one gets the focus. */
  list: RefObject<HTMLOListElement>;
  add(): void;
}

/** At least one row more than there are values, so that adding one needs no button. */
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
  action: string;
  section: string;
  /** The number of the row follows. */
  label: string;
  values: string[];
  options: string[];
  /** Characters of a name. */
  maxLength: number;
  error: string | undefined;
}

/** Names in their order, one a row. An emptied row is left out. */
export function NameRows({ action, section, label, values, options, maxLength, error }: NameRowsProps) {
  const { rows, list, add } = useRows(values.length);
  const names = `${section}-names`;
  return (
    <>
      <ol className={styles.rows} ref={list}>
        {rows.map((index) => (
          <li key={index}>
            <TextInput
              id={`${section}-${index}`}
              name="name"
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
        {options.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div>
        <AddRow action={action} section={section} onAdd={add} />
      </div>
    </>
  );
}
