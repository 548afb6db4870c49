import type { SiteSection } from "#app/domain/site/settings.ts";
import { quoted } from "#app/texts.ts";
import type { Prose } from "#app/ui/prose/markdown.ts";
import { ProseView } from "#app/ui/prose/prose-page.tsx";
import itemStyles from "../item/item.module.css";
import { Preview, ProsePreview } from "../item/preview.tsx";
import { FixedPart, type OpenedSettings, SettingPart } from "./setting-part.tsx";
import { SITE_SECTION_TEXTS } from "./setting-texts.ts";

interface CustodianPartProps {
  page: OpenedSettings;
  preview: Prose[] | undefined;
}

export function CustodianPart({ page, preview }: CustodianPartProps) {
  const file = page.fixed.records?.by;
  return (
    <SettingPart
      page={page}
      about={
        file === undefined
          ? "The 2257 page shows the custodian in place of {{custodian}}, or at its end if its text has no such place. The audit log keeps earlier custodians."
          : `The 2257 page shows the custodian in place of {{custodian}} in the file ${file}. The audit log keeps earlier custodians.`
      }
    >
      {(field) => (
        <>
          {field("custodianName")}
          {field("custodianAddress", { rows: 3, description: "A street address, not a mailbox." })}
          {field("custodianSince", { type: "date" })}
          <ProsePreview prose={preview} />
        </>
      )}
    </SettingPart>
  );
}

interface ContactPartProps {
  page: OpenedSettings & { defaultEmail: string };
  /** The pages that name the address, each with those sentences. */
  preview: { contactEmail: string; pages: { page: SiteSection; prose: Prose[] }[] } | undefined;
}

export function ContactPart({ page, preview }: ContactPartProps) {
  const { defaultEmail } = page;
  if (page.fixed.contactEmail) return <FixedPart page={page} setting="contactEmail" />;
  return (
    <SettingPart page={page}>
      {(field) => (
        <>
          {field("contactEmail", {
            type: "email",
            description: `It is at the bottom of every page and email, where everyone can read it. If you set none, ${defaultEmail === "" ? "visitors cannot write to you" : `the site shows ${defaultEmail}`}.`,
          })}
          {preview && (
            <Preview>
              <p>At the bottom of every page and email: {preview.contactEmail || "none"}</p>
              {preview.pages.map(({ page: name, prose }) => (
                <div key={name}>
                  <p className={itemStyles.muted}>{SITE_SECTION_TEXTS[name].title}</p>
                  <ProseView prose={prose} />
                </div>
              ))}
            </Preview>
          )}
        </>
      )}
    </SettingPart>
  );
}

interface ZonePreview {
  now: string;
  /** `at`: in the typed zone; `atPresent`: in the saved one. */
  release: { title: string; at: string; atPresent: string } | null;
}

interface TimePartProps {
  page: OpenedSettings & { timeZones: string[] };
  preview: ZonePreview | undefined;
}

export function TimePart({ page, preview }: TimePartProps) {
  if (page.fixed.timeZone) return <FixedPart page={page} setting="timeZone" />;
  return (
    <SettingPart page={page}>
      {(field) => (
        <>
          {field("timeZone", {
            list: "time-zones",
            description:
              "For example Europe/Berlin. All times in the studio are in this zone, and daily totals begin at its midnight. A new zone does not move scheduled items.",
          })}
          <datalist id="time-zones">
            {page.timeZones.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          {preview && (
            <Preview>
              <p>It is now {preview.now}.</p>
              {preview.release === null ? (
                <p>No item is scheduled.</p>
              ) : (
                <p>
                  The next scheduled item, {quoted(preview.release.title)}, would show {preview.release.at}{" "}
                  instead of {preview.release.atPresent}. It would still be published at the same moment.
                </p>
              )}
            </Preview>
          )}
        </>
      )}
    </SettingPart>
  );
}
