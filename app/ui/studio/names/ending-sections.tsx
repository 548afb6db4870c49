import { Button, Stack, TextInput } from "@mantine/core";
import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { AnotherCodeButton, CodeField, type RequestedCode } from "#app/ui/forms/code-field.tsx";
import { Tick } from "#app/ui/forms/field.tsx";
import formStyles from "#app/ui/forms/form.module.css";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import studioStyles from "../studio.module.css";
import styles from "./names.module.css";

interface MergeFieldProps {
  kind: "creator" | "tag";
  id: string;
  typed: string;
  typedLength: number;
  error: string | undefined;
  suggested: { slug: string; name: string; text: string }[];
}

export function MergeSection(props: MergeFieldProps) {
  return (
    <FormSection
      id="merge"
      title="Merge"
      about={
        <p>
          {props.kind === "creator"
            ? "If this is the same creator as another one, move the works there. You will see what happens first."
            : "If this means the same as another tag, give its items that one. You will see what happens first."}
        </p>
      }
    >
      <MergeForm {...props} />
    </FormSection>
  );
}

export function MergeForm({ kind, id, typed, typedLength, error, suggested }: MergeFieldProps) {
  return (
    <Form method="get" action={paths.studioMerge()}>
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="from" value={id} />
      <div className={styles.line}>
        <TextInput
          id="merge-into"
          name="into"
          label={kind === "creator" ? "Merge into the creator" : "Merge into the tag"}
          defaultValue={typed}
          maxLength={typedLength}
          error={error}
          list="merge-names"
          autoComplete="off"
          size="md"
        />
        <Button type="submit" variant="default" size="md">
          Continue
        </Button>
      </div>
      <datalist id="merge-names">
        {suggested.map(({ slug, name, text }) => (
          <option key={slug} value={text}>
            {text === name ? null : name}
          </option>
        ))}
      </datalist>
    </Form>
  );
}

interface DeleteSectionProps {
  action: string;
  /** Says what would happen, or why it cannot. */
  about: string;
  mayDelete: boolean;
  tick: string;
  isTicked: boolean;
  error: string | undefined;
  code: RequestedCode | null;
  hasOutbox: boolean;
}

export function DeleteSection(props: DeleteSectionProps) {
  const { action, about, mayDelete, tick, isTicked, error, code, hasOutbox } = props;
  return (
    <FormSection id="delete" title="Delete" about={<p>{about}</p>}>
      {mayDelete && (
        <details open={error !== undefined || code !== null || undefined} className={studioStyles.folded}>
          <summary>Delete it …</summary>
          <Form method="post" action={action}>
            <input type="hidden" name="section" value="delete" />
            <Stack gap="md">
              <Tick
                id="delete-confirm"
                name="confirm"
                value="yes"
                defaultChecked={isTicked}
                aria-invalid={error ? true : undefined}
                aria-describedby={error ? "delete-error" : undefined}
              >
                {tick}
              </Tick>
              {error !== undefined && (
                <p id="delete-error" className={formStyles.wrong}>
                  {error}
                </p>
              )}
              {code !== null && <CodeField code={code} hasOutbox={hasOutbox} />}
              <div>
                <Button type="submit" variant="outline" color="red">
                  Delete it
                </Button>
              </div>
              {code !== null && <AnotherCodeButton />}
            </Stack>
          </Form>
        </details>
      )}
    </FormSection>
  );
}
