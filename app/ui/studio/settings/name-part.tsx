import { type OpenedSettings, SettingPart } from "./setting-part.tsx";
import { type Previewed, SitePreview } from "./site-preview.tsx";

interface NamePartProps {
  page: OpenedSettings;
  preview: Previewed | undefined;
}

export function NamePart({ page, preview }: NamePartProps) {
  return (
    <SettingPart
      page={page}
      about="The name is at the top and bottom of every page and in every email. The headline is the first thing that visitors read. Leave a field empty to use its default."
    >
      {(field) => (
        <>
          {field("siteName")}
          {field("headline")}
          {field("words", { rows: 3 })}
          {preview && <SitePreview {...preview} />}
        </>
      )}
    </SettingPart>
  );
}
