import { TextInput } from "@mantine/core";
import type { SectionFields } from "#app/domain/catalog/edit/item/section-fields.ts";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import styles from "./item.module.css";
import { type EditedSection, SectionForm } from "./section-form.tsx";

interface DatesSectionProps extends EditedSection<SectionFields["dates"]> {
  mayChangeExpiry: boolean;
}

export function DatesSection({ mayChangeExpiry, ...section }: DatesSectionProps) {
  const { errors } = section;
  return (
    <FormSection
      id="dates"
      title="Dates"
      about={
        <p>
          The publication date is under <a href="#publication">Publication</a>. It stays the same once the
          item is public.
        </p>
      }
      done={section.isSaved ? "The dates are saved." : undefined}
    >
      <SectionForm name="dates" {...section}>
        {(values) => (
          <div className={styles.pair}>
            <input type="hidden" name="timeZone" value={values.timeZone} />
            <TextInput
              id="dates-producedOn"
              name="producedOn"
              type="date"
              label={fieldLabel("producedOn")}
              description="Required for your 2257 records."
              inputWrapperOrder={["label", "input", "error", "description"]}
              defaultValue={values.producedOn}
              error={errors.producedOn}
              size="md"
            />
            <TextInput
              id="dates-expireAt"
              name="expireAt"
              type="datetime-local"
              label={`${fieldLabel("expireAt")} (${values.timeZone})`}
              description={
                mayChangeExpiry ? "Leave it empty for no end." : "Only a publisher can change this."
              }
              inputWrapperOrder={["label", "input", "error", "description"]}
              defaultValue={values.expireAt}
              readOnly={!mayChangeExpiry}
              error={errors.expireAt}
              size="md"
            />
          </div>
        )}
      </SectionForm>
    </FormSection>
  );
}
