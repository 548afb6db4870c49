import { Link } from "@remix-run/react";
import type { SectionFields } from "#app/domain/catalog/edit/item/section-fields.ts";
import { paths } from "#app/paths.ts";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import styles from "./item.module.css";
import { NameRows } from "./name-rows.tsx";
import { type RenamedNames, renamedTexts } from "./saved-messages.ts";
import { type EditedSection, SectionForm } from "./section-form.tsx";

interface CreditsSectionProps extends EditedSection<SectionFields["credits"]> {
  options: string[];
  limits: { name: number };
  credited: { id: string; name: string }[];
  renamed: RenamedNames;
}

export function CreditsSection({ options, limits, credited, renamed, ...section }: CreditsSectionProps) {
  return (
    <FormSection
      id="credits"
      title={fieldLabel("creators")}
      about={
        <p>
          Visitors see these creators on the page, in this order. A new name adds a new creator. Clear a row
          to remove it.
        </p>
      }
      done={section.isSaved ? ["The credits are saved.", ...renamedTexts(renamed)].join(" ") : undefined}
    >
      {credited.length > 0 && (
        <p className={styles.pageLinks}>
          {credited.length === 1 ? "The creator’s page: " : "The creators’ pages: "}
          {credited.map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <Link to={paths.studioCreator(id)}>{name}</Link>
            </span>
          ))}
        </p>
      )}
      <SectionForm name="credits" {...section}>
        {({ creators }) => (
          <NameRows
            action={section.action}
            section="credits"
            label="Creator"
            values={creators}
            options={options}
            maxLength={limits.name}
            error={section.errors.creators}
          />
        )}
      </SectionForm>
    </FormSection>
  );
}
