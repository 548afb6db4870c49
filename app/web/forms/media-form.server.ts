import { redirect } from "@remix-run/node";
import { z } from "zod";
import { type AccessMedia, accessTo, type Right } from "#app/domain/access/access.ts";
import { createDecisionCache } from "#app/domain/announcements/decision-cache.server.ts";
import { findMediaRule } from "#app/domain/catalog/media/media.server.ts";
import { accessStatus } from "../media/access-status.ts";
import { safeRedirect } from "../request/safe-redirect.ts";
import type { Member } from "../session/guards.server.ts";
import { field, readForm } from "./form-body.server.ts";

const recentRule = createDecisionCache<AccessMedia & { id: string }>(({ id }) => [`media ${id}`]);

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

/** Reads a form about a media item; throws what readMediaForm() and assertAccess() throw. */
export async function withMedia(request: Request, member: Member, right: Right): Promise<MediaForm> {
  const sent = await readMediaForm(request);
  await assertAccess(member, sent.mediaId, right);
  return sent;
}

/** Throws a 403 without the right, and the same 404 for hidden, withdrawn and unknown media. */
export async function assertAccess(member: Member, mediaId: string, right: Right): Promise<void> {
  const rule = await recentRule.find(mediaId, async () => {
    const found = await findMediaRule(mediaId);
    return found && { ...found, id: mediaId };
  });
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
  if (next === null) return shortJson(row);
  return redirect(`${safeRedirect(next)}#media-${mediaId}`, { status: 303 });
}

/** Without a length, remix-serve would compress these 200 bytes as a stream, for a tenth of the request's processor time. */
function shortJson(row: object | null): Response {
  const body = JSON.stringify(row);
  const headers = { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) };
  return new Response(body, { headers });
}
