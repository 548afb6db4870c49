import { TextInput } from "@mantine/core";
import type { SectionFields } from "#app/domain/catalog/edit/item/section-fields.ts";
import type { Prose } from "#app/ui/prose/markdown.ts";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { MarkdownField } from "./preview.tsx";
import { type EditedSection, SectionForm } from "./section-form.tsx";
import { StepButton } from "./step-button.tsx";

interface TextSectionProps extends EditedSection<SectionFields["text"]> {
  limits: { title: number; description: number };
  preview: Prose[] | undefined;
}

export function TextSection({ limits, preview, ...section }: TextSectionProps) {
  const { errors } = section;
  return (
    <FormSection
      id="text"
      title="Title and description"
      about={<p>A new title gives the page a new address. Old addresses redirect to it.</p>}
      done={section.isSaved ? "Title and description are saved." : undefined}
    >
      <SectionForm
        name="text"
        {...section}
        extra={
          <StepButton action={section.action} section="text" intent="preview">
            Preview
          </StepButton>
        }
      >
        {(values) => (
          <>
            <TextInput
              id="text-title"
              name="title"
              label={fieldLabel("title")}
              defaultValue={values.title}
              maxLength={limits.title}
              error={errors.title}
              size="md"
              required
              withAsterisk={false}
            />
            <MarkdownField
              section="text"
              name="description"
              label={fieldLabel("description")}
              value={values.description}
              maxLength={limits.description}
              error={errors.description}
              preview={preview}
            />
          </>
        )}
      </SectionForm>
    </FormSection>
  );
}
