import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { announceToOtherDevices } from "#app/domain/announcements/live-announcements.server.ts";
import {
  forgetView,
  hideFromContinue,
  markAsCompleted,
  startOver,
} from "#app/domain/viewing/view-actions.server.ts";
import type { ViewsAction } from "#app/paths.ts";
import { mediaFormAnswer, readMediaForm } from "#app/web/forms/form-body.server.ts";
import { requireMember } from "#app/web/session/guards.server.ts";

type Change = (userId: string, mediaId: string) => Promise<void>;

const ACTIONS = new Map<string, Change>(
  Object.entries({
    "start-over": startOver,
    seen: markAsCompleted,
    hide: hideFromContinue,
    forget: forgetView,
  } satisfies Record<ViewsAction, Change>),
);

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireMember(request, { hasPage: false });
  const change = ACTIONS.get(params.action ?? "");
  if (change === undefined) return Response.json({ error: "Request Failed" }, { status: 404 });
  const sent = await readMediaForm(request, z.object({}));
  await change(member.user.id, sent.mediaId);
  announceToOtherDevices(member, "progress", sent.mediaId);
  return mediaFormAnswer(sent);
}
