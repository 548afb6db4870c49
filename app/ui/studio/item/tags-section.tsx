import { Fieldset, TextInput } from "@mantine/core";
import type { SectionFields } from "#app/domain/catalog/edit/item/section-fields.ts";
import { Tick } from "#app/ui/forms/field.tsx";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import styles from "./item.module.css";
import { type RenamedNames, renamedTexts } from "./saved-messages.ts";
import { type EditedSection, SectionForm } from "./section-form.tsx";

interface TagsSectionProps extends EditedSection<SectionFields["tags"]> {
  renamed: RenamedNames;
  /** As stored: these can be removed. */
  present: string[];
  options: string[];
}

export function TagsSection({ renamed, present, options, ...section }: TagsSectionProps) {
  const { errors } = section;
  return (
    <FormSection
      id="tags"
      title={fieldLabel("tags")}
      about={<p>Visitors filter the lists by tags.</p>}
      done={section.isSaved ? ["The tags are saved.", ...renamedTexts(renamed)].join(" ") : undefined}
    >
      <SectionForm name="tags" {...section}>
        {({ tags, added }) => (
          <>
            {present.length > 0 && (
              <Fieldset legend="Untick to remove" variant="unstyled" classNames={{ legend: styles.legend }}>
                <div className={styles.ticks}>
                  {present.map((name) => (
                    <Tick key={name} name="tag" value={name} defaultChecked={tags.includes(name)}>
                      {name}
                    </Tick>
                  ))}
                </div>
              </Fieldset>
            )}
            <TextInput
              id="tags-added"
              name="added"
              label="Add tags"
              description="Separate several tags with commas. A new name adds a new tag."
              inputWrapperOrder={["label", "input", "error", "description"]}
              defaultValue={added}
              list="tags-names"
              autoComplete="off"
              maxLength={500}
              error={errors.tags}
              size="md"
            />
            <datalist id="tags-names">
              {options.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </SectionForm>
    </FormSection>
  );
}
