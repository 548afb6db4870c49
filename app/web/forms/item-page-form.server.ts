import { formatZoneTime } from "#app/dates.ts";
import { bringBackPhoto } from "#app/domain/catalog/edit/photos/photo-order.server.ts";
import { makeDraftLink, revokeDraftLink } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import { changeEncoding, ENCODING_CHANGES } from "#app/domain/catalog/encoding/change-encoding.server.ts";
import { FILE_LIMITS } from "#app/file-limits.ts";
import { paths } from "#app/paths.ts";
import { sizeText } from "#app/sizes.ts";
import { siteFacts } from "../pages/site-facts.server.ts";
import { field, readIntent } from "./form-body.server.ts";
import { answerSection, type ItemSectionAnswer, repeatSection, sectionIn } from "./item-form.server.ts";
import { type SentForm, unlessFull } from "./item-upload.server.ts";
import {
  answerOrder,
  answerPhotoFiles,
  NO_ROOM,
  type OrderAnswer,
  PHOTO_FILES_AT_ONCE,
  type PhotoFilesAnswer,
  repeatOrder,
  repeatPhotoFiles,
} from "./photos-form.server.ts";
import { answerTransition, repeatTransition, type TransitionAnswer } from "./transition-form.server.ts";

export interface ItemFormAnswer {
  section?: ItemSectionAnswer;
  transition?: TransitionAnswer;
  order?: OrderAnswer;
  photoFiles?: PhotoFilesAnswer;
  leftOut?: string;
  madeLink?: { url: string; expires: string };
  error?: string;
}

/** `at`: the section that shows what was saved. "incomplete": none of the form's buttons was pressed. */
type Outcome =
  | { done: string; at: string }
  | { goTo: string }
  | { status: number; answer: ItemFormAnswer }
  | "incomplete";

export const ITEM_UPLOAD_LIMITS = {
  all: sizeText(FILE_LIMITS.itemForm),
  photos: PHOTO_FILES_AT_ONCE,
};

interface PageForm {
  answer(sent: SentForm): Promise<Outcome>;
  /** The sent form, with all that was typed. */
  repeat(sent: SentForm): Promise<ItemFormAnswer | null>;
}

export async function answerItemForm(sent: SentForm): Promise<Outcome> {
  const { answer } = formIn(sent);
  return unlessFull(sent, takesFiles(sent), { answer: () => answer(sent), full: () => withoutRoom(sent) });
}

/** What was typed comes back. A browser does not keep the files. */
async function withoutRoom(sent: SentForm): Promise<Outcome> {
  const answer = await formIn(sent).repeat(sent);
  return answer === null ? "incomplete" : { status: 507, answer: { ...answer, error: NO_ROOM } };
}

export function repeatItemForm(sent: SentForm): Promise<ItemFormAnswer | null> {
  return formIn(sent).repeat(sent);
}

/** For the log, so never what somebody typed. */
export function formName({ form }: Pick<SentForm, "form">): string {
  const name = field(form, "section");
  return sectionIn(form) ?? (Object.hasOwn(FORMS, name) ? name : "unknown");
}

/** These forms have their own limit. */
export function takesFiles({ files }: Pick<SentForm, "files">): boolean {
  return files.length > 0;
}

function formIn({ form }: SentForm): PageForm {
  const name = field(form, "section");
  return (Object.hasOwn(FORMS, name) ? FORMS[name] : undefined) ?? SECTION;
}

const SECTION: PageForm = {
  async answer({ actor, id, form }) {
    const name = sectionIn(form);
    const answer = name === null ? "incomplete" : await answerSection(actor, id, name, form);
    if (answer === "incomplete") return answer;
    if (answer === "saved") return { done: name ?? "", at: name ?? "" };
    return { status: statusOf(answer), answer: { section: answer } };
  },
  async repeat({ form }) {
    const name = sectionIn(form);
    const section = name === null ? null : repeatSection(name, form);
    return section && { section };
  },
};

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
  encoding: {
    async answer({ actor, id, form }) {
      const change = readIntent(form, ENCODING_CHANGES);
      if (change === null) return "incomplete";
      const error = await changeEncoding(actor, id, change);
      return error === null ? { done: "encoding", at: "encoding" } : { status: 422, answer: { error } };
    },
    repeat: async () => ({}),
  },
  order: {
    async answer(sent) {
      const order = await answerOrder(sent);
      if (order === null) return "incomplete";
      if (order === "saved") return { done: "order", at: "order" };
      return { status: order.conflicts.length > 0 ? 409 : 422, answer: { order } };
    },
    async repeat(sent) {
      const order = repeatOrder(sent);
      return order && { order };
    },
  },
  leftOut: {
    async answer({ actor, id, form }) {
      const error = await bringBackPhoto(actor, id, field(form, "photo"));
      return error === null ? { done: "leftOut", at: "leftOut" } : { status: 422, answer: { error } };
    },
    repeat: async ({ form }) => ({ leftOut: field(form, "photo") }),
  },
  photoFiles: {
    async answer(sent) {
      const photoFiles = await answerPhotoFiles(sent);
      if (photoFiles === null) return "incomplete";
      if (photoFiles === "saved") return { done: "photoFiles", at: "photoFiles" };
      const isFull = photoFiles.refused.some(({ sentence }) => sentence === NO_ROOM);
      return { status: isFull ? 507 : 422, answer: { photoFiles } };
    },
    async repeat(sent) {
      const photoFiles = repeatPhotoFiles(sent);
      return photoFiles && { photoFiles };
    },
  },
};

function statusOf({ step, conflicts }: ItemSectionAnswer): number {
  if (step !== "save") return 200;
  return conflicts.length > 0 ? 409 : 422;
}
