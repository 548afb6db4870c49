import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { SectionValues, SiteSection, SiteSetting } from "#app/domain/site/settings.ts";
import { type EditedSection, SectionForm } from "#app/ui/studio/item/section-form.tsx";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { StepButton } from "../item/step-button.tsx";
import { SITE_SECTION_TEXTS } from "./setting-texts.ts";

export interface EditedSettings extends EditedSection<SectionValues> {
  name: SiteSection;
  isOwn: boolean;
  limits: Record<SiteSetting, number>;
  /** By the name of the host's variable or file. */
  fixed: Partial<Record<SiteSetting, string>>;
}

interface SettingSectionProps extends EditedSettings {
  about?: ReactNode;
  before?: ReactNode;
  after?: ReactNode;
  done?: string | undefined;
  button?: ReactNode;
  hasPreview?: boolean;
  hasSave?: boolean;
  children: (fields: SectionValues) => ReactNode;
}

export function SettingSection(props: SettingSectionProps) {
  const { name, about, before, after, hasPreview = false, isOwn, children, done, button, ...section } = props;
  const { title, saved } = SITE_SECTION_TEXTS[name];
  return (
    <FormSection
      id={name}
      title={title}
      about={about === undefined ? undefined : <p>{about}</p>}
      done={done ?? (section.isSaved ? saved : undefined)}
    >
      {before}
      <SectionForm
        name={name}
        {...section}
        extra={
          <>
            {hasPreview && (
              <StepButton at={{ action: section.action, section: name }} intent="preview">
                Preview
              </StepButton>
            )}
            {button}
            {isOwn && (
              <Button type="submit" name="intent" value="default" variant="subtle">
                Reset to default
              </Button>
            )}
          </>
        }
      >
        {children}
      </SectionForm>
      {after}
    </FormSection>
  );
}

export function fixedSentence(by: string): string {
  return by.endsWith(".md")
    ? `The file ${by} in the pages folder decides this. Remove it there to edit the text here.`
    : `The setting ${by} on the server decides this. Remove it there to change it here.`;
}

export function FixedSection({ name, children }: { name: SiteSection; children: ReactNode }) {
  return (
    <FormSection id={name} title={SITE_SECTION_TEXTS[name].title}>
      {children}
    </FormSection>
  );
}
