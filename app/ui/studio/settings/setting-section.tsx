import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { SectionValues, SiteSection, SiteSetting } from "#app/domain/site/settings.ts";
import { type EditedSection, SectionForm } from "#app/ui/studio/item/section-form.tsx";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { StepButton } from "../item/step-button.tsx";
import { SITE_SECTION_TEXTS } from "./setting-texts.ts";

/** The properties that every section of the settings has. */
export interface EditedSettings extends EditedSection<SectionValues> {
  name: SiteSection;
  /** Something differs from the site as it comes. */
  isOwn: boolean;
  limits: Record<SiteSetting, number>;
  /** Names of the variables or files of the host that decide settings here. */
  fixed: Partial<Record<SiteSetting, string>>;
}

interface SettingSectionProps extends EditedSettings {
  about?: ReactNode;
  /** Before the form. */
  before?: ReactNode;
  after?: ReactNode;
  /** Said in place of the sentence about the save. */
  done?: string | undefined;
  /** Beside the button that saves. */
  button?: ReactNode;
  /** A button shows the result before it is saved. */
  hasPreview?: boolean;
  /** False while there is nothing that a save would change. */
  hasSave?: boolean;
  children: (fields: SectionValues) => ReactNode;
}

/** One section with its button that saves, the one that shows the result, and the way back to the default. */
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
              <StepButton action={section.action} section={name} intent="preview">
                Preview
              </StepButton>
            )}
            {button}
            {isOwn && (
              <Button type="submit" name="intent" value="default" variant="subtle">
                Back to the default
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

/** The sentence beside a field that the host has fixed. */
export function fixedSentence(by: string): string {
  return by.endsWith(".md")
    ? `The file ${by} in the pages folder decides this. Remove it there to write the text here.`
    : `The setting ${by} on the server decides this. Remove it there to change it here.`;
}

/** For a section that the host has fixed whole: nothing can be saved. */
export function FixedSection({ name, children }: { name: SiteSection; children: ReactNode }) {
  return (
    <FormSection id={name} title={SITE_SECTION_TEXTS[name].title}>
      {children}
    </FormSection>
  );
}
