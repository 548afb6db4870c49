import { Button, TextInput } from "@mantine/core";
import { Form, Link } from "@remix-run/react";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { AnotherCodeButton, CodeField, type RequestedCode } from "#app/ui/forms/code-field.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import rows from "../rows.module.css";
import styles from "./names.module.css";

export interface NameRowView {
  id: string;
  name: string;
  to: string;
  works: { to: string; text: string };
  facts: string[];
  /** Undefined for tags, which have no portraits. */
  portrait?: PictureView | null;
}

export function NameList({ names }: { names: NameRowView[] }) {
  return (
    <ul className={rows.rows}>
      {names.map(({ id, name, to, works, facts, portrait }) => (
        <li key={id} className={portrait === undefined ? styles.row : `${styles.row} ${styles.withPortrait}`}>
          {portrait !== undefined && (
            <div className={`${rows.picture} ${styles.portrait}`}>
              {portrait && <Picture picture={portrait} sizes="3rem" />}
            </div>
          )}
          <div className={rows.words}>
            <h2 className={rows.title}>
              <Link to={to}>{name}</Link>
            </h2>
            <p className={rows.facts}>
              <Link to={works.to}>{works.text}</Link>
              {facts.map((fact) => (
                <span key={fact}>{fact}</span>
              ))}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

interface AddNameProps {
  action: string;
  typed: string;
  error: string | undefined;
  maxLength: number;
  code: RequestedCode | null;
  hasOutbox: boolean;
}

export function AddCreatorForm({ action, typed, error, maxLength, code, hasOutbox }: AddNameProps) {
  return (
    <section className={styles.add} aria-labelledby="add-title">
      <h2 id="add-title">New creator</h2>
      <Form method="post" action={action} className={styles.group}>
        <div className={styles.line}>
          <TextInput
            id="add-name"
            name="name"
            label={fieldLabel("name")}
            defaultValue={typed}
            maxLength={maxLength}
            error={error}
            autoComplete="off"
            size="md"
            required
            withAsterisk={false}
          />
          {code === null && (
            <Button type="submit" variant="default" size="md">
              Add
            </Button>
          )}
        </div>
        {code !== null && (
          <>
            <CodeField code={code} hasOutbox={hasOutbox} />
            <div>
              <Button type="submit">Add</Button>
            </div>
            <AnotherCodeButton />
          </>
        )}
      </Form>
    </section>
  );
}
