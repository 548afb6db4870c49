import type { SubmissionResult } from "@conform-to/react";
import { data, redirect } from "@remix-run/node";
import { z } from "zod";
import { formatZoneTime } from "#app/dates.ts";
import type { SavedPart } from "#app/domain/catalog/edit/item/save-part.server.ts";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import { paths } from "#app/paths.ts";
import { MAX_CODE_LENGTH, quoted } from "#app/texts.ts";
import { checkForm, NOT_THIS_FORM } from "../forms/checked-form.server.ts";
import { type CodeStep, confirmInForm, type RequestedCode } from "../forms/confirm-in-form.server.ts";
import { readIntent, readStaffForm } from "../forms/form-body.server.ts";
import { logRefusal } from "../forms/form-refusal.server.ts";
import { siteFacts, siteTime } from "../pages/site-facts.server.ts";
import { hasFreshSignIn, type Member } from "../session/guards.server.ts";
import { serializeNotice } from "../session/notice-cookie.server.ts";

/** To a form that was not saved, with what was typed. */
export interface PartAnswer<Found = unknown> {
  form: SubmissionResult<string[]>;
  conflict?: ShownConflict;
  isTooOld?: true;
  /** For a part that asks for a code. */
  code?: RequestedCode & { hasOutbox: boolean };
  /** A button has filled in other values than those that were typed. */
  isFilled?: true;
  /** For a button that only looks: what it found. A refused form keeps its preview if its fields fit the schema. */
  found?: Found;
  errorId?: string;
}

/** What somebody else has saved since the form was opened. */
export interface ShownConflict {
  version: string;
  edit: { actor: string; at: string } | null;
  fields: { field: string; label: string; theirs: string }[];
}

/** A cookie has no room for more of the longest names. */
const NAMES_SHOWN = 3;

type Sent<Schema extends z.ZodObject> = z.output<Schema>;

/** How people read a field's name and value. */
export interface FieldTexts {
  label(field: string): string;
  value(field: string, value: unknown, at: (moment: Date) => string): string;
}

interface PartForm<Schema extends z.ZodObject, Found> {
  /** For the log. */
  name: string;
  schema: Schema;
  /** `status`: of a refusal that is not the form's fault. */
  save(sent: Sent<Schema>, version: string): Promise<SavedPart<object> & { status?: number }>;
  texts: FieldTexts;
  /** The sentence of a saved form. */
  saved: string;
  /** Where a saved form leads; null after the last draft. */
  goTo(isNext: boolean): string | null | Promise<string | null>;
  /** Answers the buttons that only look, by the values of `intent`. */
  looks?: Record<string, (sent: Sent<Schema>) => Found | Promise<Found>>;
  /** The same for those that may be pressed while a field is wrong. */
  looksAtTyped?: Record<string, (form: FormData) => Found | Promise<Found>>;
  /** When the caller had to read the body. */
  form?: FormData;
  /** The caller has replaced what was typed. */
  isFilled?: boolean;
  /** Asks for an emailed code instead of refusing an old sign-in. */
  code?: CodeStep;
}

/** The guard comes first. An old sign-in saves nothing: the form comes back with its values, for a second press. */
export async function answerPart<Schema extends z.ZodObject, Found>(
  request: Request,
  member: Member,
  {
    name,
    schema,
    save,
    texts,
    saved,
    goTo,
    looks = {},
    looksAtTyped = {},
    form,
    isFilled = false,
    code,
  }: PartForm<Schema, Found>,
) {
  const intents = ["save", "next", ...Object.keys(looks), ...Object.keys(looksAtTyped)] as const;
  const body = form ?? (await readStaffForm(request));
  const checked = checkForm(
    body,
    schema.safeExtend({
      version: z.string().max(64, { abort: true }),
      intent: z.enum(intents, NOT_THIS_FORM).default("save"),
      previewed: z.literal("yes").optional(),
      ...(code && {
        code: z.string().max(MAX_CODE_LENGTH, { abort: true }).optional(),
        again: z.literal("yes").optional(),
      }),
    }),
  );
  const { version, intent, previewed, ...sent } = (checked.ok ? checked.value : {}) as Sent<Schema> & {
    version: string;
    intent: string;
    previewed?: "yes";
  };
  let headers = new Headers();
  const look = async (name: string) => {
    const found = await looks[name]?.(sent as Sent<Schema>);
    return found === undefined ? {} : { found };
  };
  const refuse = async (answer: PartAnswer<Found>, status: number) => {
    const kept = previewed && (await look("preview"));
    return data<PartAnswer<Found>>(
      { ...kept, ...answer, ...(isFilled && { isFilled }), errorId: logRefusal(request, name) },
      { status, headers },
    );
  };
  if (code === undefined && !hasFreshSignIn(member, "studio")) {
    return refuse({ form: checked.refused({}), isTooOld: true }, 401);
  }
  const typed = readIntent(body, Object.keys(looksAtTyped));
  if (typed !== null && (checked.ok || checked.unknownFields === 0)) {
    const found = await looksAtTyped[typed]?.(body);
    return data<PartAnswer<Found>>({ form: { ...checked.refused({}), error: {} }, ...(found && { found }) });
  }
  if (!checked.ok) return refuse({ form: checked.refused() }, 422);
  if (intent in looks) {
    return data<PartAnswer<Found>>({ form: checked.refused({}), ...(await look(intent)) });
  }
  if (code !== undefined) {
    const confirmation = await confirmInForm(request, member, body, code);
    headers = confirmation.headers;
    if (!confirmation.isConfirmed) {
      const requested = { ...confirmation.code, hasOutbox: siteFacts.hasOutbox };
      return refuse({ form: checked.refused({}), code: requested }, 403);
    }
  }
  const result = await save(sent as Sent<Schema>, version);
  if (result.saved) {
    const isNext = intent === "next";
    const next = await goTo(isNext);
    const page = next ?? paths.studioMedia({ state: "draft" });
    const renamed = result.renamed.map(
      ({ typed, stored }) => `${quoted(typed)} is saved as ${quoted(stored)}.`,
    );
    // Creators first: there is no room for all.
    const added = (result.added ?? [])
      .toSorted((one, other) => one.kind.localeCompare(other.kind))
      .map(({ kind, name }) => `${quoted(name)} is a new ${kind}.`);
    const names = [...added, ...renamed].slice(0, NAMES_SHOWN);
    const sentence = [isNext ? savedBefore(result.title, next === null) : saved, ...names].join(" ");
    headers.append("Set-Cookie", await serializeNotice(page, sentence));
    return redirect(page, { status: 303, headers });
  }
  if ("errors" in result) {
    const { form, ...fields } = result.errors;
    const errors = form === undefined ? fields : { ...fields, "": form };
    return refuse({ form: checked.refused(errors) }, result.status ?? 422);
  }
  return refuse({ form: checked.refused({}), conflict: shown(result.conflict, texts) }, 409);
}

/** On the page of another draft, or above the list of them. */
function savedBefore(title: string, isLast: boolean): string {
  return isLast
    ? `${quoted(title)} is saved. There is no newer draft to continue with. Any other drafts are listed below.`
    : `The previous draft, ${quoted(title)}, is saved.`;
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
