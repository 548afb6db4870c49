import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type ComponentProps, useMemo } from "react";
import { requestLink } from "#app/adapters/email-link.server.ts";
import { sendTestAlarm } from "#app/domain/alarms/recipients.server.ts";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import { parseColor } from "#app/domain/site/colors.ts";
import { checkSettings } from "#app/domain/site/edit-site.server.ts";
import {
  isPictureKind,
  type SectionValues,
  SITE_SECTION_NAMES,
  type SiteSection,
} from "#app/domain/site/settings.ts";
import { paths } from "#app/paths.ts";
import { OPENING } from "#app/ui/catalog/opening.ts";
import { CODE_NEEDED, type RequestedCode } from "#app/ui/forms/code-field.tsx";
import { INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import { type Prose, parseMarkdown } from "#app/ui/prose/markdown.ts";
import itemStyles from "#app/ui/studio/item/item.module.css";
import { RefusalSummary } from "#app/ui/studio/item/refusal-summary.tsx";
import { conflictError, type RefusalLine } from "#app/ui/studio/item/refusals.ts";
import { editedSections } from "#app/ui/studio/item/section-form.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { AlarmSection } from "#app/ui/studio/settings/alarm-section.tsx";
import { ColorSection } from "#app/ui/studio/settings/color-section.tsx";
import { NameSection } from "#app/ui/studio/settings/name-section.tsx";
import { PageSection } from "#app/ui/studio/settings/page-section.tsx";
import { ContactSection, CustodianSection, TimeSection } from "#app/ui/studio/settings/people-sections.tsx";
import { PictureSection } from "#app/ui/studio/settings/picture-section.tsx";
import type { EditedSettings } from "#app/ui/studio/settings/setting-section.tsx";
import { conflictText, SETTING_LABELS, SITE_SECTION_TEXTS } from "#app/ui/studio/settings/setting-texts.ts";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { confirmInForm } from "#app/web/forms/confirm-in-form.server.ts";
import { isUpload, readStaffForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import {
  answerSiteForm,
  readSiteForm,
  refuseSiteForm,
  repeatSiteForm,
  type SiteAnswer,
  type SiteForm,
  wantedValues,
} from "#app/web/forms/site-form.server.ts";
import { answerPicture } from "#app/web/forms/site-picture-form.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { limitAlarmTests } from "#app/web/request/limits.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import {
  findSettingsPage,
  fixedByHost,
  previewSettings,
  siteDefaults,
} from "#app/web/studio/settings-page.server.ts";

interface SettingsAnswer {
  answer: SiteAnswer | undefined;
  preview: Awaited<ReturnType<typeof previewSettings>> | undefined;
  prose: Prose[] | undefined;
  contact: ComponentProps<typeof ContactSection>["preview"];
  code: RequestedCode | undefined;
  testedAddresses: string[] | undefined;
  incomplete: string | undefined;
  errorId: string | undefined;
}

const NO_ANSWER: SettingsAnswer = {
  answer: undefined,
  preview: undefined,
  prose: undefined,
  contact: undefined,
  code: undefined,
  testedAddresses: undefined,
  incomplete: undefined,
  errorId: undefined,
};

export { keepTyped as shouldRevalidate };

export const meta: MetaFunction = () => pageMeta({ title: "Settings", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await requireStaff(request, "site");
  const saved = new URL(request.url).searchParams.get("saved");
  return {
    ...(await findSettingsPage(siteDefaults(OPENING))),
    saved: SITE_SECTION_NAMES.find((section) => section === saved) ?? null,
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireStaff(request, "site", { confirmsInForm: true });
  const refuse = (answer: Partial<SettingsAnswer>, status = 422, headers = new Headers()) =>
    data<SettingsAnswer>(
      {
        ...NO_ANSWER,
        ...answer,
        errorId: logRefusal(request, `settings: ${answer.answer?.section ?? "form"}`),
      },
      { status, headers },
    );
  const defaults = siteDefaults(OPENING);
  if (isUpload(request)) {
    const { status, answer } = await answerPicture(request, member.user.id);
    if (status !== 200) return refuse({ answer }, status);
    return data<SettingsAnswer>({ ...NO_ANSWER, answer, preview: await uploadedIn(answer, defaults) });
  }

  const form = await readStaffForm(request);
  const sent = readSiteForm(form, defaults);
  if (sent === null) return refuse({ incomplete: INCOMPLETE });
  const fixed = await fixedByHost();
  const wanted = Object.fromEntries(
    Object.entries(wantedValues(sent, defaults)).filter(([name]) => !(name in fixed)),
  );
  const errors = await checkSettings(wanted);
  if (sent.step === "preview") {
    const answer = repeatSiteForm(sent, "preview");
    // A color that is hard to read is previewed, with its figures.
    const isShown = Object.keys(errors).length === 0 || parseColor(wanted.accent ?? "") !== null;
    if (!isShown) return refuse({ answer: { ...answer, errors } });
    return data<SettingsAnswer>({
      ...NO_ANSWER,
      answer,
      ...(await previewOf(sent.section, sent.fields, defaults)),
    });
  }
  // A test goes to what is stored, whatever was typed.
  const isTest = sent.step === "test";
  if (isTest && sent.section !== "alarms") return refuse({ incomplete: INCOMPLETE });
  // Without a code nothing may be saved, not even what a second look finds right: a date is no longer in the future after midnight.
  if (!isTest && Object.keys(errors).length > 0) {
    const answer = refuseSiteForm(sent, errors);
    return refuse({ answer, preview: await uploadedIn(sent, defaults) });
  }
  const { headers, ...confirmation } = await confirmInForm(request, member, form, {
    stepUp: "settings",
    next: paths.studioSettings(),
    sendLink: requestLink,
  });
  if (!confirmation.isConfirmed) {
    const answer = repeatSiteForm(sent, "confirm");
    return refuse(
      { answer, preview: await uploadedIn(sent, defaults), code: confirmation.code },
      403,
      headers,
    );
  }
  if (isTest) {
    await limitAlarmTests(member.user.id);
    const testedAddresses = (await sendTestAlarm()).map(shownAddress);
    const answer = repeatSiteForm(sent, "test");
    return data<SettingsAnswer>({ ...NO_ANSWER, answer, testedAddresses }, { headers });
  }
  const answer = await answerSiteForm(actorOf(member), sent, wanted);
  if (answer !== "saved") {
    const preview = await uploadedIn(sent, defaults);
    return refuse({ answer, preview }, answer.conflicts.length > 0 ? 409 : 422, headers);
  }
  const next = `${paths.studioSettings({ saved: sent.section })}#${sent.section}`;
  return redirect(next, { status: 303, headers });
}

export default function SettingsPage() {
  const page = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  const refusals = useMemo(() => refusalsIn(sent), [sent]);
  const { answer, preview, prose, contact } = sent ?? NO_ANSWER;
  const saved = sent === undefined ? page.saved : null;
  const fixed = Object.fromEntries(Object.entries(page.hosts).map(([name, { by }]) => [name, by]));
  const edited = editedSections({
    ...{ action: page.action, hasOutbox: page.hasOutbox, saved },
    sent: answer && {
      // A form leaves out what the host has fixed.
      section: {
        ...answer,
        fields: { ...page.fields[answer.section], ...answer.fields },
        conflicts: conflictsOf(answer),
      },
      code: sent?.code && { section: answer.section, request: sent.code },
    },
  });
  const section = <Name extends SiteSection>(name: Name): EditedSettings & { name: Name } => ({
    ...edited.section(name, page.fields[name], page.stored[name]),
    ...{ name, isOwn: page.isOwn[name], limits: page.limits, fixed },
  });
  const shown = (name: SiteSection) =>
    preview?.section === name ? { ...preview, logo: preview.pictures.logo } : undefined;
  const text = (name: SiteSection) => (preview?.section === name ? prose : undefined);
  const picture = <Kind extends "logo" | "icon" | "share">(name: Kind) => ({
    ...section(name),
    stored: page.pictures[name],
    uploaded: preview?.section === name ? preview.pictures[name] : null,
    siteName: page.fields.name.siteName ?? "",
  });
  return (
    <StudioFrame
      title="Settings"
      about="The name, look and texts of the site. A change appears on every page and in every email at once."
    >
      <div className={itemStyles.page}>
        <RefusalSummary problems={refusals} errorId={sent?.errorId} />
        <nav aria-label="Sections" className={itemStyles.sections}>
          {SECTION_LINKS.map(([name, title]) => (
            <a key={name} href={`#${name}`}>
              {title}
            </a>
          ))}
        </nav>
        <NameSection {...section("name")} preview={shown("name")} />
        <ColorSection
          {...section("color")}
          preview={shown("color")}
          suggestion={answer?.section === "color" ? answer.suggestion : null}
        />
        <PictureSection {...picture("logo")} />
        <PictureSection {...picture("icon")} />
        <PictureSection {...picture("share")} />
        <PageSection {...section("about")} preview={text("about")} />
        <PageSection {...section("privacy")} preview={text("privacy")} />
        <PageSection {...section("terms")} preview={text("terms")} />
        <PageSection {...section("records")} preview={text("records")} />
        <CustodianSection {...section("custodian")} preview={text("custodian")} />
        <ContactSection {...section("contact")} preview={contact} defaultEmail={page.defaultEmail} />
        <AlarmSection
          {...section("alarms")}
          maxAddresses={page.maxAlarmAddresses}
          ownerAddresses={page.ownerAddresses}
          testedAddresses={sent?.testedAddresses}
        />
        <TimeSection {...section("time")} preview={preview?.zone ?? undefined} timeZones={page.timeZones} />
      </div>
    </StudioFrame>
  );
}

const SECTION_LINKS = Object.entries(SITE_SECTION_TEXTS).map(([name, { title }]) => [name, title] as const);

/** The picture of a refused form is shown again. */
async function uploadedIn(
  { section, fields }: Pick<SiteForm, "section" | "fields">,
  defaults: SectionValues,
) {
  return isPictureKind(section) ? previewSettings(section, fields, defaults) : undefined;
}

async function previewOf(section: SiteSection, fields: SectionValues, defaults: SectionValues) {
  const preview = await previewSettings(section, fields, defaults);
  const pages = preview.contact?.pages.map(({ page, text }) => ({ page, prose: parseMarkdown(text) }));
  return {
    preview,
    prose: preview.text === null ? undefined : parseMarkdown(preview.text),
    contact: preview.contact && pages ? { ...preview.contact, pages } : undefined,
  };
}

function conflictsOf({ conflicts }: SiteAnswer) {
  return conflicts.map(({ field, theirs, yours }) => {
    const setting = field as keyof typeof SETTING_LABELS;
    const [stored, sent] = [theirs ?? "", yours].map((value) => conflictText(setting, value));
    return { field, label: SETTING_LABELS[setting], theirs: stored ?? "", yours: sent ?? "" };
  });
}

function refusalsIn(sent: SettingsAnswer | undefined): RefusalLine[] {
  if (sent === undefined) return [];
  const { answer, code, incomplete } = sent;
  const wrong = Object.entries(answer?.errors ?? {}).map(([setting, sentence]) => ({
    at: setting === "form" ? (answer?.section ?? null) : `${answer?.section}-${setting}`,
    sentence,
  }));
  return [
    ...(code === undefined ? [] : [{ at: answer?.section ?? null, sentence: CODE_NEEDED }]),
    ...(incomplete === undefined ? [] : [{ at: null, sentence: incomplete }]),
    ...(answer !== undefined && answer.conflicts.length > 0 ? [conflictError(answer.section)] : []),
    ...wrong,
  ];
}
