import type { SiteSection } from "#app/domain/site/settings.ts";
import type { Prose } from "#app/ui/prose/markdown.ts";
import { ProseView } from "#app/ui/prose/prose-page.tsx";
import itemStyles from "../item/item.module.css";
import { Preview, ProsePreview } from "../item/preview.tsx";
import { LineField, TextField } from "./setting-fields.tsx";
import { type EditedSettings, FixedSection, SettingSection } from "./setting-section.tsx";
import { SITE_SECTION_TEXTS } from "./setting-texts.ts";

interface CustodianSectionProps extends EditedSettings {
  preview: Prose[] | undefined;
}

export function CustodianSection({ preview, ...section }: CustodianSectionProps) {
  const { fixed } = section;
  return (
    <SettingSection
      {...section}
      hasPreview
      about={
        fixed.records === undefined
          ? "Named on the page 2257, where its text has {{custodian}} or at its end. The audit log keeps earlier custodians."
          : `Named on the page 2257 where the file ${fixed.records} has {{custodian}}. The audit log keeps earlier custodians.`
      }
    >
      {(values) => (
        <>
          <LineField {...section} values={values} setting="custodianName" />
          <TextField
            {...section}
            values={values}
            setting="custodianAddress"
            rows={3}
            description="A street address, not a mailbox."
          />
          <LineField {...section} values={values} setting="custodianSince" type="date" />
          <ProsePreview prose={preview} />
        </>
      )}
    </SettingSection>
  );
}

interface ContactSectionProps extends EditedSettings {
  /** Each page that names the address, with its sentences. */
  preview: { contactEmail: string; pages: { page: SiteSection; prose: Prose[] }[] } | undefined;
  /** Shown to everybody while the owner has set none. */
  defaultEmail: string;
}

export function ContactSection({ defaultEmail, preview, ...section }: ContactSectionProps) {
  const field = (values: EditedSettings["fields"]) => (
    <LineField
      {...section}
      values={values}
      setting="contactEmail"
      type="email"
      inputMode="email"
      description={`Stands at the bottom of every page and mail. Everybody can read it. Without an address of your own, that is ${defaultEmail}.`}
    />
  );
  if (section.fixed.contactEmail !== undefined) {
    return <FixedSection name="contact">{field(section.fields)}</FixedSection>;
  }
  return (
    <SettingSection {...section} hasPreview>
      {(values) => (
        <>
          {field(values)}
          {preview && (
            <Preview>
              <p>At the bottom of every page and mail: {preview.contactEmail}</p>
              {preview.pages.map(({ page, prose }) => (
                <div key={page}>
                  <p className={itemStyles.muted}>{SITE_SECTION_TEXTS[page].title}</p>
                  <ProseView prose={prose} />
                </div>
              ))}
            </Preview>
          )}
        </>
      )}
    </SettingSection>
  );
}

interface ZonePreview {
  /** The present time there. */
  now: string;
  /** The next scheduled one, in the typed zone and in the one that counts. */
  release: { title: string; at: string; atPresent: string } | null;
}

interface TimeSectionProps extends EditedSettings {
  preview: ZonePreview | undefined;
  timeZones: string[];
}

export function TimeSection({ timeZones, preview, ...section }: TimeSectionProps) {
  const field = (values: EditedSettings["fields"]) => (
    <>
      <LineField
        {...section}
        values={values}
        setting="timeZone"
        list="time-zones"
        description="Such as Europe/Berlin. The studio reads and shows all times in it, and the days of the totals begin at its midnight. Scheduled releases keep their moment in time."
      />
      <datalist id="time-zones">
        {timeZones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
  if (section.fixed.timeZone !== undefined) {
    return <FixedSection name="time">{field(section.fields)}</FixedSection>;
  }
  return (
    <SettingSection {...section} hasPreview>
      {(values) => (
        <>
          {field(values)}
          {preview && (
            <Preview>
              <p>It is now {preview.now}.</p>
              {preview.release === null ? (
                <p>No release is scheduled.</p>
              ) : (
                <p>
                  The next release, “{preview.release.title}”, would be written as {preview.release.at}{" "}
                  instead of {preview.release.atPresent}. Its moment stays.
                </p>
              )}
            </Preview>
          )}
        </>
      )}
    </SettingSection>
  );
}
