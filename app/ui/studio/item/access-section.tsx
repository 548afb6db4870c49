import { NativeSelect } from "@mantine/core";
import type { SectionFields } from "#app/domain/catalog/edit/item/section-fields.ts";
import { Tick } from "#app/ui/forms/field.tsx";
import { DownIcon } from "#app/ui/parts/icons.tsx";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { ACCESS_CHOICES } from "../media-labels.ts";
import { type EditedSection, SectionForm } from "./section-form.tsx";

export function AccessSection(section: EditedSection<SectionFields["access"]>) {
  const { errors } = section;
  return (
    <FormSection
      id="access"
      title={fieldLabel("access")}
      about={<p>Changes take effect at once, for pages and files.</p>}
      done={section.isSaved ? "The access is saved." : undefined}
    >
      <SectionForm name="access" {...section}>
        {(values) => (
          <>
            <NativeSelect
              id="access-access"
              name="access"
              label="Who can view it"
              defaultValue={values.access}
              error={errors.access}
              size="md"
              rightSection={<DownIcon />}
            >
              {ACCESS_CHOICES.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </NativeSelect>
            <Tick name="allowDownload" value="yes" defaultChecked={values.allowDownload}>
              Allow downloads for everyone who can view it
            </Tick>
          </>
        )}
      </SectionForm>
    </FormSection>
  );
}
