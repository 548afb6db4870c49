import { Fieldset, Stack, TextInput } from "@mantine/core";
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { SectionFields } from "#app/domain/catalog/edit/item/section-fields.ts";
import { type MediaType, paths } from "#app/paths.ts";
import { quoted } from "#app/texts.ts";
import form from "#app/ui/forms/form.module.css";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { TYPE_LABELS } from "../media-labels.ts";
import styles from "./item.module.css";
import { type EditedSection, SectionForm } from "./section-form.tsx";
import { StepButton } from "./step-button.tsx";

interface ShootItem {
  id: string;
  title: string;
  type: MediaType;
}

interface ShootSectionProps extends EditedSection<SectionFields["shoot"]> {
  present: string | null;
  others: ShootItem[];
  found: { words: string; items: ShootItem[] } | undefined;
  limits: { search: number };
}

export function ShootSection({ present, others, found, limits, ...section }: ShootSectionProps) {
  return (
    <FormSection
      id="shoot"
      title={fieldLabel("shoot")}
      about={<p>The pages of videos and photo sets of one shoot link to each other.</p>}
      done={section.isSaved ? "The shoot is saved." : undefined}
    >
      <SectionForm name="shoot" {...section}>
        {({ shoot }) => (
          <>
            <Fieldset legend="This item" variant="unstyled" classNames={{ legend: styles.legend }}>
              <Stack gap="md">
                {present !== null && (
                  <Choice value={present} chosen={shoot}>
                    {others.length === 0 ? (
                      "Keep it in its shoot, which has no other item yet"
                    ) : (
                      <>
                        Keep it in the same shoot as{" "}
                        {others.map(({ id, title }, index) => (
                          <span key={id}>
                            {index > 0 && ", "}
                            <Link to={paths.studioItem(id)}>{title}</Link>
                          </span>
                        ))}
                      </>
                    )}
                  </Choice>
                )}
                <Choice value="" chosen={shoot}>
                  No shoot
                </Choice>
                {found?.items.map(({ id, title, type }) => (
                  <Choice key={id} value={id} chosen={shoot}>
                    Same shoot as <strong>{title}</strong> ({TYPE_LABELS[type].toLowerCase()})
                  </Choice>
                ))}
              </Stack>
            </Fieldset>
            {found !== undefined && found.items.length === 0 && (
              <p role="status">Nothing matches {quoted(found.words)}.</p>
            )}
            <div className={styles.search}>
              <TextInput
                id="shoot-find"
                name="find"
                label="Find another item"
                defaultValue={found?.words ?? ""}
                maxLength={limits.search}
                error={section.errors.shoot}
                autoComplete="off"
                size="md"
              />
              <StepButton action={section.action} section="shoot" intent="find">
                Find
              </StepButton>
            </div>
          </>
        )}
      </SectionForm>
    </FormSection>
  );
}

function Choice({ value, chosen, children }: { value: string; chosen: string; children: ReactNode }) {
  return (
    <label className={form.tick}>
      <input type="radio" name="shoot" value={value} defaultChecked={value === chosen} />
      <span>{children}</span>
    </label>
  );
}
