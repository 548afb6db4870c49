import type { SubmissionResult } from "@conform-to/react";
import { data, redirect } from "@remix-run/node";
import { z } from "zod";
import { timeZoneProblem } from "#app/config/settings.ts";
import { formatZoneTime } from "#app/dates.ts";
import type { SavedPart } from "#app/domain/catalog/edit/item/save-part.server.ts";
import { anyText } from "#app/domain/catalog/edit/item/text-fields.ts";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import { quoted } from "#app/texts.ts";
import { checkForm, NOT_THIS_FORM } from "../forms/checked-form.server.ts";
import { readStaffForm } from "../forms/form-body.server.ts";
import { logRefusal } from "../forms/form-refusal.server.ts";
import { siteFacts, siteTime } from "../pages/site-facts.server.ts";
import { hasFreshSignIn, type Member } from "../session/guards.server.ts";
import { serializeNotice } from "../session/notice-cookie.server.ts";

/** To a form that was not saved, with what was typed. */
export interface PartAnswer<Found = unknown> {
  form: SubmissionResult<string[]>;
  conflict?: ShownConflict;
  isTooOld?: true;
  /** For a button that only looks: what it found. */
  found?: Found;
  errorId?: string;
}

/** What somebody else has saved since the form was opened. */
export interface ShownConflict {
  version: string;
  edit: { actor: string; at: string } | null;
  fields: { field: string; label: string; theirs: string }[];
}

/** A cookie holds no more of the longest names. */
const RENAMED_SHOWN = 3;

type Sent<Schema extends z.ZodObject> = z.output<Schema>;

/** The zone in which a form showed its times: the site's may have changed since. */
export const zoneField = anyText.refine((zone) => timeZoneProblem(zone) === null, NOT_THIS_FORM);

/** How people read a field's name and value. */
export interface FieldTexts {
  label(field: string): string;
  value(field: string, value: unknown, at: (moment: Date) => string): string;
}

interface PartForm<Schema extends z.ZodObject, Found> {
  /** For the log. */
  name: string;
  schema: Schema;
  save(sent: Sent<Schema>, version: string): Promise<SavedPart<object>>;
  texts: FieldTexts;
  /** The sentence of a saved form. */
  saved: string;
  /** Where a saved form leads. */
  goTo(isNext: boolean): string | Promise<string>;
  /** Answers the buttons that only look, by the values of `intent`. */
  looks?: Record<string, (sent: Sent<Schema>) => Found | Promise<Found>>;
}

/** The guard comes first. An old sign-in saves nothing: the form comes back with its values, for a second press. */
export async function answerPart<Schema extends z.ZodObject, Found>(
  request: Request,
  member: Member,
  { name, schema, save, texts, saved, goTo, looks = {} }: PartForm<Schema, Found>,
) {
  const intents = ["save", "next", ...Object.keys(looks)] as const;
  const checked = checkForm(
    await readStaffForm(request),
    schema.extend({
      version: z.string().max(64, { abort: true }),
      intent: z.enum(intents, NOT_THIS_FORM).default("save"),
    }),
  );
  const refuse = (answer: PartAnswer<Found>, status: number) =>
    data<PartAnswer<Found>>({ ...answer, errorId: logRefusal(request, name) }, { status });
  if (!hasFreshSignIn(member, "studio")) return refuse({ form: checked.refused({}), isTooOld: true }, 401);
  if (!checked.ok) return refuse({ form: checked.refused() }, 422);

  const { version, intent, ...sent } = checked.value as Sent<Schema> & { version: string; intent: string };
  const look = looks[intent];
  if (look !== undefined) {
    const found = await look(sent as Sent<Schema>);
    return data<PartAnswer<Found>>({ form: checked.refused({}), found });
  }
  const result = await save(sent as Sent<Schema>, version);
  if (result.saved) {
    const isNext = intent === "next";
    const page = await goTo(isNext);
    const renamed = result.renamed
      .slice(0, RENAMED_SHOWN)
      .map(({ typed, stored }) => `${quoted(typed)} is saved as ${quoted(stored)}.`);
    const sentence = [isNext ? `${quoted(result.title)}: ${saved}` : saved, ...renamed].join(" ");
    return redirect(page, { status: 303, headers: { "Set-Cookie": await serializeNotice(page, sentence) } });
  }
  if ("errors" in result) {
    const { form, ...fields } = result.errors;
    return refuse({ form: checked.refused(form === undefined ? fields : { ...fields, "": form }) }, 422);
  }
  return refuse({ form: checked.refused({}), conflict: shown(result.conflict, texts) }, 409);
}

type Conflict = Extract<SavedPart<object>, { conflict: unknown }>["conflict"];

function shown({ stored, version, fields, edit }: Conflict, texts: FieldTexts): ShownConflict {
  const values: Record<string, unknown> = { ...stored };
  return {
    version,
    edit: edit && { actor: shownAddress(edit.actor), at: formatZoneTime(edit.at, siteFacts.timeZone) },
    fields: fields.map((field) => ({
      field,
      label: texts.label(field),
      theirs: texts.value(field, values[field], siteTime),
    })),
  };
}
