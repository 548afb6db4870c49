import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import type { Prose } from "#app/ui/prose/markdown.ts";
import { ProsePreview } from "../item/preview.tsx";
import { TextField } from "./setting-fields.tsx";
import { type EditedSettings, FixedSection, fixedSentence, SettingSection } from "./setting-section.tsx";

interface PageSectionProps extends EditedSettings {
  name: "about" | "privacy" | "terms" | "records";
  preview: Prose[] | undefined;
}

const GAPS = {
  about: "{{siteName}} and {{contactEmail}}",
  privacy: "{{siteName}}, {{contactEmail}} and the times in its text",
  terms: "{{siteName}}, {{contactEmail}} and {{undoTime}}",
  records: "{{siteName}}, {{contactEmail}} and {{custodian}}",
};

export function PageSection({ preview, ...section }: PageSectionProps) {
  const { name, fixed } = section;
  const by = fixed[name];
  if (by !== undefined) {
    return (
      <FixedSection name={name}>
        <p>{fixedSentence(by)}</p>
        <p>
          <SiteLink to={paths[name]()}>View the page</SiteLink>
        </p>
      </FixedSection>
    );
  }
  return (
    <SettingSection
      {...section}
      hasPreview
      about="Markdown: # for headings, **bold**, *italic*, lists with a dash, an empty line between paragraphs."
    >
      {(values) => (
        <>
          <TextField
            {...section}
            values={values}
            setting={name}
            rows={14}
            description={`The site fills in ${GAPS[name]}.`}
          />
          <ProsePreview prose={preview} />
        </>
      )}
    </SettingSection>
  );
}
