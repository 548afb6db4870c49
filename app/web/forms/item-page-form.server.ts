import { formatZoneTime } from "#app/dates.ts";
import { makeDraftLink, revokeDraftLink } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import { paths } from "#app/paths.ts";
import { siteFacts } from "../pages/site-facts.server.ts";
import { field, readIntent } from "./form-body.server.ts";
import type { SentForm } from "./item-upload.server.ts";
import { answerTransition, repeatTransition, type TransitionAnswer } from "./transition-form.server.ts";

export interface ItemFormAnswer {
  transition?: TransitionAnswer;
  madeLink?: { url: string; expires: string };
  error?: string;
}

/** `at`: the section that shows what was saved. "incomplete": none of the form's buttons was pressed. */
type Outcome =
  | { done: string; at: string }
  | { goTo: string }
  | { status: number; answer: ItemFormAnswer }
  | "incomplete";

interface PageForm {
  answer(sent: SentItemForm): Promise<Outcome>;
  /** The sent form, with all that was typed. */
  repeat(sent: SentItemForm): Promise<ItemFormAnswer | null>;
}

type SentItemForm = Pick<SentForm, "actor" | "id" | "form">;

export async function answerItemForm(sent: SentItemForm): Promise<Outcome> {
  return formIn(sent)?.answer(sent) ?? "incomplete";
}

export async function repeatItemForm(sent: SentItemForm): Promise<ItemFormAnswer | null> {
  return formIn(sent)?.repeat(sent) ?? null;
}

/** For the log, so never what somebody typed. */
export function formName({ form }: Pick<SentForm, "form">): string {
  const name = field(form, "section");
  return Object.hasOwn(FORMS, name) ? name : "unknown";
}

function formIn({ form }: SentItemForm): PageForm | undefined {
  const name = field(form, "section");
  return Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
}

const FORMS: Record<string, PageForm> = {
  publication: {
    async answer({ actor, id, form }) {
      const outcome = await answerTransition(actor, id, form);
      if (outcome === "incomplete") return outcome;
      if ("error" in outcome) return { status: 422, answer: { transition: outcome } };
      return outcome.done === "delete"
        ? { goTo: paths.studioMedia() }
        : { done: outcome.done, at: "publication" };
    },
    async repeat({ form }) {
      const transition = repeatTransition(form);
      return transition && { transition };
    },
  },
  draftLinks: {
    async answer({ actor, id, form }) {
      if (readIntent(form, ["revoke"]) !== null) {
        await revokeDraftLink(actor, field(form, "link"));
        return { done: "revoked", at: "draftLinks" };
      }
      const link = await makeDraftLink(actor, id);
      if (link === null) return { status: 422, answer: { error: "Only a draft can have a draft link." } };
      const url = siteFacts.origin + paths.draft(link.token);
      const madeLink = { url, expires: formatZoneTime(link.expiresAt, siteFacts.timeZone) };
      return { status: 200, answer: { madeLink } };
    },
    repeat: async () => ({}),
  },
};
