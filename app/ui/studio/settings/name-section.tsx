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
      about="The name stands at the top and the bottom of every page and in every mail. The headline is the first thing that a visitor reads. An empty field goes back to the default."
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
