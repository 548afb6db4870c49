import { Field } from "#app/ui/forms/field.tsx";
import type { Prose } from "#app/ui/prose/markdown.ts";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import { type OpenedPart, PartForm, PreviewButton } from "../part-form.tsx";
import { MarkdownField } from "./preview.tsx";

interface TextPartProps {
  values: { title: string; description: string };
  form: OpenedPart;
  limits: { title: number; description: number };
  preview: Prose[] | undefined;
}

export function TextPart({ values, form, limits, preview }: TextPartProps) {
  return (
    <PartForm
      id="text"
      title="Title and description"
      about={<p>A new title gives the page a new address. Old addresses redirect to it.</p>}
      values={values}
      form={form}
      extra={<PreviewButton formNoValidate />}
    >
      {({ title, description }) => (
        <>
          <Field
            field={title}
            label={fieldLabel("title")}
            maxLength={limits.title}
            required
            withAsterisk={false}
          />
          <MarkdownField
            section="text"
            name="description"
            label={fieldLabel("description")}
            value={description.initialValue ?? ""}
            maxLength={limits.description}
            error={description.errors?.[0]}
            preview={preview}
          />
        </>
      )}
    </PartForm>
  );
}
