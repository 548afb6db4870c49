import { data, redirect } from "@remix-run/node";
import type { Space } from "#app/domain/uploads/space.server.ts";
import { paths } from "#app/paths.ts";
import { logRefusal } from "../forms/form-refusal.server.ts";
import { FILES_TOO_LARGE, type SentForm, unlessFull, withItemForm } from "../forms/item-upload.server.ts";
import { NO_ROOM } from "../forms/photos-form.server.ts";
import { limitItemFiles } from "../request/limits.server.ts";
import { actorOf, hasFreshSignIn, type Member } from "../session/guards.server.ts";
import { serializeNotice } from "../session/notice-cookie.server.ts";

/** To a form that was not saved. */
export interface FormGroupAnswer<Answer> {
  /** With what was typed. */
  sent?: Answer;
  error?: string;
  /** None of its buttons was pressed. */
  isIncomplete?: true;
  isTooOld?: true;
  /** A browser without JavaScript does not keep it. */
  hadFile?: true;
  errorId?: string;
}

interface FormGroup<Answer> {
  /** Null when none of the form's buttons was pressed. */
  answer(
    sent: SentForm,
  ): Promise<
    { saved: string; page?: string } | { error: string } | { status: number; answer: Answer } | null
  >;
  /** The sent form, with all that was typed. */
  repeat(sent: SentForm): Promise<Answer | null>;
  /** Whether one of its forms has a field for files. */
  acceptsFiles?: true;
  /** Forms that decode pictures or read files have their own limit. */
  takesFiles?(sent: SentForm): boolean;
}

/** For a part with several forms. The guard comes first. An old sign-in saves nothing: the form comes back with its values. */
export function answerFormGroup<Answer extends object>(
  request: Request,
  member: Member,
  { id, part, page = paths.studioItemPart(id, part) }: { id: string; part: string; page?: string },
  { answer, repeat, acceptsFiles, takesFiles = ({ files }) => files.length > 0 }: FormGroup<Answer>,
  space?: () => Promise<Space>,
) {
  const reply = (shown: FormGroupAnswer<Answer>, status: number) => {
    const errorId = status < 400 ? undefined : logRefusal(request, `item: ${part}`);
    return data<FormGroupAnswer<Answer>>({ ...shown, ...(errorId && { errorId }) }, { status });
  };
  return withItemForm(
    request,
    acceptsFiles === true,
    async (read) => {
      if (read === "tooLarge") return reply({ error: FILES_TOO_LARGE }, 413);
      const sent = { actor: actorOf(member), id, ...read };
      const hasFiles = takesFiles(sent);
      if (hasFiles) await limitItemFiles(member.user.id);
      const repeated = async (shown: FormGroupAnswer<Answer>, status: number) => {
        const typed = await repeat(sent);
        return typed === null
          ? reply({ isIncomplete: true }, 422)
          : reply({ ...shown, sent: typed, ...(sent.files.length > 0 && { hadFile: true }) }, status);
      };
      if (!hasFreshSignIn(member, "studio")) return repeated({ isTooOld: true }, 401);
      return unlessFull(sent, hasFiles, {
        full: () => repeated({ error: NO_ROOM }, 507),
        answer: async () => {
          const outcome = await answer(sent);
          if (outcome === null) return reply({ isIncomplete: true }, 422);
          if ("error" in outcome) return repeated(outcome, 422);
          if ("answer" in outcome) return reply({ sent: outcome.answer }, outcome.status);
          const { saved, page: next = page } = outcome;
          const headers = { "Set-Cookie": await serializeNotice(next, saved) };
          return redirect(next, { status: 303, headers });
        },
      });
    },
    space,
  );
}
