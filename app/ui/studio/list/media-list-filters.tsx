import { Link } from "@remix-run/react";
import type { FilterName, TypedName } from "#app/domain/catalog/edit/studio-list/known-names.server.ts";
import { paths } from "#app/paths.ts";
import { quoted } from "#app/texts.ts";
import filters from "#app/ui/catalog/filters.module.css";
import { Choice, ListForm, SearchRow } from "#app/ui/catalog/list-form.tsx";
import { buttonClass } from "#app/ui/parts/button.tsx";
import styles from "./list.module.css";

type Options = readonly (readonly [value: string, label: string])[];

export interface ChoiceField {
  name: string;
  label: string;
  any: string | undefined;
  value: string | null;
  options: Options;
}

/** A text field, because there can be too many names for a list. */
export interface NameField {
  name: "creator" | "tag";
  label: string;
  any: string;
  typed: TypedName | null;
  suggested: FilterName[];
}

interface MediaListFiltersProps {
  q: string | null;
  fields: (ChoiceField | NameField)[];
  /** What is chosen among them, in words. */
  chosen: string[];
}

export function MediaListFilters({ q, fields, chosen }: MediaListFiltersProps) {
  const names = fields.filter((field) => "typed" in field);
  const values = fields.map((field) => ("typed" in field ? field.typed?.text : field.value));
  return (
    <>
      <ListForm action={paths.studioMedia()} state={{ q, values }}>
        <SearchRow label="Search titles, creators and tags" q={q} />
        <details className={filters.more}>
          <summary>{["Filter and sort", chosen.join(", ")].filter(Boolean).join(": ")}</summary>
          <div className={styles.filters}>
            {fields.map((field) =>
              "typed" in field ? (
                <NameInput key={field.name} {...field} />
              ) : (
                <Choice
                  key={field.name}
                  name={field.name}
                  label={field.label}
                  value={field.value}
                  options={field.options}
                  {...(field.any === undefined ? {} : { any: field.any })}
                />
              ),
            )}
            <button type="submit" className={buttonClass("quiet")}>
              Show
            </button>
          </div>
        </details>
      </ListForm>
      {names.map((field) => (
        <UnknownName key={field.name} {...field} />
      ))}
    </>
  );
}

function NameInput({ name, label, any, typed, suggested }: NameField) {
  const list = `${name}-names`;
  return (
    <>
      <label>
        <span>{label}</span>
        <input name={name} defaultValue={typed?.text ?? ""} placeholder={any} list={list} />
      </label>
      <datalist id={list}>
        {suggested.map(({ slug, name: known, text }) => (
          <option key={slug} value={text}>
            {text === known ? null : known}
          </option>
        ))}
      </datalist>
    </>
  );
}

function UnknownName({ name, label, typed }: NameField) {
  if (typed === null || typed.found !== null) return null;
  const { text, similar } = typed;
  return (
    <p role="status">
      No {label.toLowerCase()} is called {quoted(text)}.{similar.length > 0 && " Similar names: "}
      {similar.map(({ slug, name: known }, index) => (
        <span key={slug}>
          {index > 0 && ", "}
          <Link to={paths.studioMedia({ [name]: slug })}>{known}</Link>
        </span>
      ))}
    </p>
  );
}
