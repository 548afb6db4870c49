import { LineField, TextField } from "./setting-fields.tsx";
import { type EditedSettings, SettingSection } from "./setting-section.tsx";
import { type Previewed, SitePreview } from "./site-preview.tsx";

interface NameSectionProps extends EditedSettings {
  preview: Previewed | undefined;
}

export function NameSection({ preview, ...section }: NameSectionProps) {
  return (
    <SettingSection
      {...section}
      hasPreview
      about="The name is at the top and bottom of every page and in every email. The headline is the first thing that visitors read. Leave a field empty to use its default."
    >
      {(values) => (
        <>
          <LineField {...section} values={values} setting="siteName" />
          <LineField {...section} values={values} setting="headline" />
          <TextField {...section} values={values} setting="words" rows={3} />
          {preview && <SitePreview {...preview} />}
        </>
      )}
    </SettingSection>
  );
}
