import type { SectionFields } from "#app/domain/catalog/edit/item/section-fields.ts";
import { ItemSection } from "./item-section.tsx";
import { NameRows } from "./name-rows.tsx";
import { type EditedSection, SectionForm } from "./section-form.tsx";

interface CreditsSectionProps extends EditedSection<SectionFields["credits"]> {
  /** The names to choose from. */
  options: string[];
  limits: { name: number };
}

export function CreditsSection({ options, limits, ...section }: CreditsSectionProps) {
  return (
    <ItemSection
      id="credits"
      title="Credits"
      about={
        <p>
          Creators whom visitors see on the page, in this order. A new name makes a new creator. Clear a row
          to remove it.
        </p>
      }
      done={section.isSaved ? "The credits are saved." : undefined}
    >
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
    </ItemSection>
  );
}
