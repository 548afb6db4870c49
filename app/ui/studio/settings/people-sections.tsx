import type { SiteSection } from "#app/domain/site/settings.ts";
import { quoted } from "#app/texts.ts";
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
          ? "The 2257 page names the custodian where its text has {{custodian}}, or else at its end. The audit log keeps earlier custodians."
          : `The 2257 page names the custodian where the file ${fixed.records} has {{custodian}}. The audit log keeps earlier custodians.`
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
  /** The pages that name the address, each with those sentences. */
  preview: { contactEmail: string; pages: { page: SiteSection; prose: Prose[] }[] } | undefined;
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
      description={`It is at the bottom of every page and email, where everyone can read it. If you set none, ${defaultEmail === "" ? "visitors cannot write to you" : `the site shows ${defaultEmail}`}.`}
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
              <p>At the bottom of every page and email: {preview.contactEmail || "none"}</p>
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
  now: string;
  /** `at`: in the typed zone; `atPresent`: in the saved one. */
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
        description="For example Europe/Berlin. The studio reads and shows all times in this zone, and the days of totals start at its midnight. Scheduled items are still published at the same moment."
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
                <p>No item is scheduled.</p>
              ) : (
                <p>
                  The next scheduled item, {quoted(preview.release.title)}, would show {preview.release.at}{" "}
                  instead of {preview.release.atPresent}. It is still published at the same moment.
                </p>
              )}
            </Preview>
          )}
        </>
      )}
    </SettingSection>
  );
}
