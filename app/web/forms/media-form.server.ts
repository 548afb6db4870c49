import { redirect } from "@remix-run/node";
import { z } from "zod";
import { accessTo, type Right } from "#app/domain/access/access.ts";
import { findMediaRule } from "#app/domain/catalog/media/media.server.ts";
import { accessStatus } from "../media/open-media.server.ts";
import { safeRedirect } from "../request/safe-redirect.ts";
import type { Member } from "../session/guards.server.ts";
import { field, readForm } from "./form-body.server.ts";

export interface MediaForm {
  form: FormData;
  mediaId: string;
}

/** Throws a 422 without a valid id. */
export async function readMediaForm(request: Request): Promise<MediaForm> {
  const form = await readForm(request);
  const mediaId = z.uuid().safeParse(field(form, "mediaId"));
  if (!mediaId.success) throw requestFailed(422);
  return { form, mediaId: mediaId.data };
}

/** Throws a 403 without the right, and the same 404 for media that is hidden, taken down or unknown. */
export async function assertAccess(member: Member, mediaId: string, right: Right): Promise<void> {
  const rule = await findMediaRule(mediaId);
  if (rule === null || !accessTo(member, rule, "see").allowed) throw requestFailed(404);
  const decision = accessTo(member, rule, right);
  if (!decision.allowed) throw requestFailed(accessStatus(decision.reason));
}

function requestFailed(status: number): Response {
  return Response.json({ error: "Request Failed" }, { status });
}

/** Redirects to the form's page, at its media; a form without `next` gets JSON. */
export function mediaFormAnswer({ form, mediaId }: MediaForm, row: object | null = null): Response {
  const next = form.get("next");
  if (next === null) return Response.json(row);
  return redirect(`${safeRedirect(next)}#media-${mediaId}`, { status: 303 });
}
