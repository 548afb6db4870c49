import { redirect } from "@remix-run/node";
import { z } from "zod";
import { accessTo, type Right } from "#app/domain/billing/access.ts";
import { findMediaRule } from "#app/domain/catalog/media-rule.server.ts";
import { field, readForm } from "./form-body.server.ts";
import type { Member } from "./guards.server.ts";
import { limitFormWrites } from "./limits.server.ts";
import { safeRedirect } from "./safe-redirect.ts";

export interface MediaForm {
  form: FormData;
  mediaId: string;
}

/** A form about one work: what every button beside a film or a set sends. Throws a 429 or a 422. */
export async function readMediaForm(request: Request, member: Member): Promise<MediaForm> {
  await limitFormWrites(request, member.user.id);
  const form = await readForm(request);
  const mediaId = z.uuid().safeParse(field(form, "mediaId"));
  if (!mediaId.success) throw Response.json({ error: "Request Failed" }, { status: 422 });
  return { form, mediaId: mediaId.data };
}

/** Throws 404, 410 or 403 when this person may not. */
export async function assertAccess(member: Member, mediaId: string, right: Right): Promise<void> {
  const rule = await findMediaRule(mediaId);
  const decision = rule && accessTo(member, rule, right);
  if (decision?.allowed) return;
  const status = { gone: 410, hidden: 404 }[decision?.reason as string] ?? (decision ? 403 : 404);
  throw Response.json({ error: "Request Failed" }, { status });
}

/** Back to the page the form stood on, at the work it was about; what a script asked for as JSON. */
export function mediaFormAnswer({ form, mediaId }: MediaForm, row: object | null = null): Response {
  const next = form.get("next");
  if (next === null) return Response.json(row);
  return redirect(`${safeRedirect(next)}#media-${mediaId}`, { status: 303 });
}
