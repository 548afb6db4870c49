import { Link } from "@remix-run/react";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { type NameKind, paths } from "#app/paths.ts";
import { ShortFilters } from "#app/ui/catalog/list-form.tsx";
import { PageLinks } from "#app/ui/catalog/page-links.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { DoneStatus } from "#app/ui/forms/form-section.tsx";
import { EmptyState } from "#app/ui/parts/empty-state.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import { PartForm } from "../part-form.tsx";
import rows from "../rows.module.css";
import { StudioFrame } from "../studio-frame.tsx";
import { worksText } from "./name-heading.tsx";
import styles from "./names.module.css";

interface NameLine {
  id: string;
  name: string;
  slug: string;
  works: number;
  facts: string[];
  portrait: PictureView | null;
}

interface NamesPageProps {
  kind: NameKind;
  names: NameLine[];
  query: { q: string | null; sort: string };
  notice: string | null;
  limits: { name: number };
  next: string | null;
  previous: string | null;
}

const SORTS = {
  creator: [
    ["name", "Name"],
    ["newest", "Newest first"],
    ["works", "Most works"],
  ],
  tag: [
    ["name", "Name"],
    ["works", "Most items"],
  ],
} as const;

const TEXTS = {
  creator: {
    title: "Creators",
    about: "The numbers include unpublished works.",
    search: "Search all names",
    none: "Creators appear here when an item credits them, or when you add one below.",
  },
  tag: {
    title: "Tags",
    about: "Add a new tag on the page of an item. The numbers include unpublished items.",
    search: "Search tags",
    none: "Tags appear here when an item has them.",
  },
};

export function NamesPage({ kind, names, query, notice, limits, next, previous }: NamesPageProps) {
  const { title, about, search, none } = TEXTS[kind];
  const list = paths.studioNames(kind);
  return (
    <StudioFrame title={title} about={about}>
      <DoneStatus done={notice ?? undefined} />
      <ShortFilters action={list} label={search} state={query} sorts={SORTS[kind]} />
      {names.length > 0 ? (
        <NameLines kind={kind} names={names} />
      ) : query.q === null ? (
        <EmptyState title={`No ${kind}s yet`}>
          <p>{none}</p>
        </EmptyState>
      ) : (
        <EmptyState title={`No ${kind} with that name`}>
          <p>
            Try other words, or <Link to={list}>see all {kind}s</Link>.
          </p>
        </EmptyState>
      )}
      <PageLinks previous={previous} next={next} />
      {kind === "creator" && (
        <PartForm id="add" title="New creator" values={{ name: "" }} save="Add">
          {({ name }) => (
            <Field
              field={name}
              label={fieldLabel("name")}
              maxLength={limits.name}
              autoComplete="off"
              required
              withAsterisk={false}
            />
          )}
        </PartForm>
      )}
    </StudioFrame>
  );
}

function NameLines({ kind, names }: { kind: NameKind; names: NameLine[] }) {
  return (
    <ul className={rows.rows}>
      {names.map(({ id, name, slug, works, facts, portrait }) => (
        <li key={id} className={kind === "tag" ? styles.row : `${styles.row} ${styles.withPortrait}`}>
          {kind === "creator" && (
            <div className={`${rows.picture} ${styles.portrait}`}>
              {portrait && <Picture picture={portrait} sizes="3rem" />}
            </div>
          )}
          <div className={rows.words}>
            <h2 className={rows.title}>
              <Link to={paths.studioName(kind, id)}>{name}</Link>
            </h2>
            <p className={rows.facts}>
              <Link to={paths.studioMedia({ [kind]: slug })}>{worksText(kind, works)}</Link>
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
