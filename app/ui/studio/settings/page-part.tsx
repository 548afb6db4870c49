import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import type { Prose } from "#app/ui/prose/markdown.ts";
import { ProsePreview } from "../item/preview.tsx";
import { FixedPart, fixedSentence, type OpenedSettings, SettingPart } from "./setting-part.tsx";

interface PagePartProps {
  page: OpenedSettings;
  name: "about" | "privacy" | "terms" | "records";
  preview: Prose[] | undefined;
}

const GAPS: Record<PagePartProps["name"], string> = {
  about: "{{siteName}} and {{contactEmail}}",
  privacy: "{{siteName}}, {{contactEmail}} and the times in its text",
  terms: "{{siteName}}, {{contactEmail}} and {{undoTime}}",
  records: "{{siteName}}, {{contactEmail}} and {{custodian}}",
};

export function PagePart({ page, name, preview }: PagePartProps) {
  const by = page.fixed[name]?.by;
  const link = (
    <p>
      <SiteLink to={paths[name]()}>View the page</SiteLink>
    </p>
  );
  if (by !== undefined) {
    return (
      <FixedPart page={page} setting={name}>
        <p>{fixedSentence(by)}</p>
        {link}
      </FixedPart>
    );
  }
  return (
    <SettingPart
      page={page}
      about="Markdown: # for headings, **bold**, *italic*, lists with a dash, an empty line between paragraphs."
    >
      {(field) => (
        <>
          {field(name, { rows: 14, description: `The site fills in ${GAPS[name]}.` })}
          <ProsePreview prose={preview} />
          {link}
        </>
      )}
    </SettingPart>
  );
}
