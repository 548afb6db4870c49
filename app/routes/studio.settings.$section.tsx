import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requestLink } from "#app/adapters/email-link.server.ts";
import { sendTestAlarm } from "#app/domain/alarms/recipients.server.ts";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import { type SectionValues, SITE_SECTION_NAMES, type SiteSection } from "#app/domain/site/settings.ts";
import { paths } from "#app/paths.ts";
import { OPENING } from "#app/ui/catalog/opening.ts";
import { parseMarkdown } from "#app/ui/prose/markdown.ts";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { useKeptAnswer } from "#app/ui/studio/part-form.tsx";
import { AlarmPart } from "#app/ui/studio/settings/alarm-part.tsx";
import { ColorPart } from "#app/ui/studio/settings/color-part.tsx";
import { NamePart } from "#app/ui/studio/settings/name-part.tsx";
import { PagePart } from "#app/ui/studio/settings/page-part.tsx";
import { ContactPart, CustodianPart, TimePart } from "#app/ui/studio/settings/people-parts.tsx";
import { PicturePart } from "#app/ui/studio/settings/picture-part.tsx";
import { SETTING_FIELD_TEXTS, SITE_SECTION_TEXTS } from "#app/ui/studio/settings/setting-texts.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { limitAlarmTests } from "#app/web/request/limits.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { answerPart, type PartAnswer } from "#app/web/studio/part-form.server.ts";
import {
  fillSettings,
  openSettings,
  readSettingsForm,
  settingsForm,
  siteDefaults,
} from "#app/web/studio/settings-part.server.ts";
import { previewSettings } from "#app/web/studio/settings-previews.server.ts";

type Preview = Partial<Awaited<ReturnType<typeof previewOf>>> & { testedAddresses?: string[] };

export { keepTyped as shouldRevalidate };

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "site");
  return openSettings(request, sectionNamed(params.section), siteDefaults(OPENING));
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "site", { confirmsInForm: true });
  const section = sectionNamed(params.section);
  const name = `settings: ${section}`;
  const form = await readSettingsForm(request, member.user.id, section);
  if ("error" in form) {
    const { error, status } = form;
    const errorId = logRefusal(request, name);
    return data<PartAnswer<Preview>>(
      { form: { status: "error", error: { [section]: [error] } }, errorId },
      { status },
    );
  }
  const defaults = siteDefaults(OPENING);
  const { names, schema, wantedIn, save } = await settingsForm(section, defaults);
  return answerPart<typeof schema, Preview>(request, member, {
    name,
    form,
    isFilled: fillSettings(form, names, defaults),
    schema,
    save: (sent, version) => save(actorOf(member), sent, version),
    texts: SETTING_FIELD_TEXTS,
    saved: SITE_SECTION_TEXTS[section].saved,
    goTo: () => paths.studioSettings(section),
    looks: {
      preview: (sent) => previewOf(section, wantedIn(sent), defaults),
    },
    // It goes to what is stored, whatever was typed.
    ...(section === "alarms" && {
      looksAtTyped: {
        test: async () => {
          await limitAlarmTests(member.user.id);
          return { testedAddresses: (await sendTestAlarm()).map(shownAddress) };
        },
      },
    }),
    ...(section === "custodian" && {
      code: { stepUp: "custodian", next: paths.studioSettings(section), sendLink: requestLink },
    }),
  });
}

export default function SettingsPart() {
  const page = useLoaderData<typeof loader>();
  const { found, isFilled } = useKeptAnswer(useActionData<typeof action>(), page.form) ?? {};
  const { section } = page;
  switch (section) {
    case "name":
      return <NamePart page={page} preview={found?.site} />;
    case "color":
      return <ColorPart page={page} preview={found?.site} />;
    case "logo":
    case "icon":
    case "share":
      return <PicturePart page={page} kind={section} uploaded={found?.picture ?? null} isReset={isFilled} />;
    case "custodian":
      return <CustodianPart page={page} preview={found?.prose} />;
    case "contact":
      return <ContactPart page={page} preview={found?.contact} />;
    case "alarms":
      return <AlarmPart page={page} testedAddresses={found?.testedAddresses} />;
    case "time":
      return <TimePart page={page} preview={found?.zone} />;
    default:
      return <PagePart page={page} name={section} preview={found?.prose} />;
  }
}

function sectionNamed(name: string | undefined): SiteSection {
  const section = SITE_SECTION_NAMES.find((each) => each === name);
  if (section === undefined) throw new Response("Not Found", { status: 404 });
  return section;
}

async function previewOf(section: SiteSection, unsaved: SectionValues, defaults: SectionValues) {
  const { text, contact, ...preview } = await previewSettings(section, unsaved, defaults);
  return {
    ...preview,
    prose: text === undefined ? undefined : parseMarkdown(text),
    contact: contact && {
      ...contact,
      pages: contact.pages.map(({ page, text: sentences }) => ({ page, prose: parseMarkdown(sentences) })),
    },
  };
}
