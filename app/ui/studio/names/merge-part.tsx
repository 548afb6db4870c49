import { getInputProps } from "@conform-to/react";
import { Button, TextInput } from "@mantine/core";
import { Form, Link } from "@remix-run/react";
import { count } from "#app/counts.ts";
import type { MergePreview } from "#app/domain/catalog/edit/names/merge-names.server.ts";
import { type NameKind, paths } from "#app/paths.ts";
import { quoted } from "#app/texts.ts";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import "#app/ui/theme/mantine.css";
import { PartForm } from "../part-form.tsx";
import styles from "./names.module.css";

interface MergePartProps {
  kind: NameKind;
  id: string;
  typed: string;
  typedLength: number;
  error: string | undefined;
  suggested: { slug: string; name: string; text: string }[];
  similar: { name: string; to: string }[] | undefined;
  preview: MergePreview | null;
}

export function MergePart({ kind, id, preview, similar = [], ...props }: MergePartProps) {
  const here = paths.studioNamePart(kind, id, "merge");
  return (
    <>
      <FormSection
        id="merge"
        title="Merge"
        about={
          <p>
            {kind === "creator"
              ? "If this creator is here twice, move the works to the other one. You will see what happens first."
              : "If another tag means the same, move the items to that one. You will see what happens first."}
          </p>
        }
        isAlone
      >
        <Form method="get" action={here} className={styles.line}>
          <TextInput
            id="merge-into"
            name="into"
            label={`Merge into the ${kind}`}
            defaultValue={props.typed}
            maxLength={props.typedLength}
            error={props.error}
            list="merge-names"
            autoComplete="off"
            size="md"
          />
          <Button type="submit" variant="default" size="md">
            Continue
          </Button>
          <datalist id="merge-names">
            {props.suggested.map(({ slug, name, text }) => (
              <option key={slug} value={text}>
                {text === name ? null : name}
              </option>
            ))}
          </datalist>
        </Form>
        {similar.length > 0 && (
          <p className={styles.similar}>
            Similar names:
            {similar.map(({ name, to }) => (
              <Link key={to} to={to}>
                {name}
              </Link>
            ))}
          </p>
        )}
      </FormSection>
      {preview !== null && (
        <PartForm
          key={preview.target.id}
          id="effects"
          title="What would happen"
          values={{ into: preview.target.id }}
          save="Merge the two"
          extra={
            <Button component={Link} to={here} variant="default">
              Cancel
            </Button>
          }
        >
          {({ into }) => (
            <>
              <MergeEffects kind={kind} {...preview} />
              <input {...getInputProps(into, { type: "hidden" })} />
            </>
          )}
        </PartForm>
      )}
    </>
  );
}

type MergeEffectsProps = Omit<MergePreview, "problem"> & { kind: NameKind };

function MergeEffects(props: MergeEffectsProps) {
  const { kind, subject, target, shared, newAliases, losesPortrait } = props;
  const address = (slug: string) => (kind === "creator" ? paths.creator(slug) : `?tag=${slug}`);
  return (
    <ul className={styles.effects}>
      <li>
        {count(subject.works, "item")} of {quoted(subject.name)} would move to{" "}
        <Link to={paths.studioName(kind, target.id)}>{quoted(target.name)}</Link>, which has{" "}
        {count(target.works, "item")} now.
        {shared > 0 &&
          (kind === "creator"
            ? ` ${count(shared, "item")} with both would keep the earlier credit.`
            : ` ${count(shared, "item")} with both would keep one tag.`)}
      </li>
      <li>
        The address <code>{address(subject.slug)}</code> and all earlier ones would redirect to{" "}
        <code>{address(target.slug)}</code>.
      </li>
      {kind === "tag" ? (
        <li>
          Imports that use {quoted(subject.name)} would get {quoted(target.name)}.
        </li>
      ) : (
        newAliases.length > 0 && (
          <li>
            Visitors and imports would also know {quoted(target.name)} as{" "}
            {newAliases.map((alias) => quoted(alias)).join(", ")}.
          </li>
        )
      )}
      {kind === "creator" && (
        <li>
          The {losesPortrait ? "biography, links and portrait" : "biography and links"} of{" "}
          {quoted(subject.name)} would be lost. {quoted(target.name)} keeps its own.
        </li>
      )}
      <li>This cannot be undone.</li>
    </ul>
  );
}
