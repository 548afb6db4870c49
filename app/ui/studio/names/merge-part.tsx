import { getInputProps } from "@conform-to/react";
import { Button, TextInput } from "@mantine/core";
import { Form, Link } from "@remix-run/react";
import type { MergePreview } from "#app/domain/catalog/edit/names/merge-names.server.ts";
import { type NameKind, paths } from "#app/paths.ts";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import "#app/ui/theme/mantine.css";
import { PartForm } from "../part-form.tsx";
import { MergeEffects } from "./merge-effects.tsx";
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
