import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { SEGMENT_ACCESS_MAX_AGE_MS } from "#app/domain/access/access.ts";
import { fileStems } from "#app/domain/media/renditions.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { paths } from "#app/paths.ts";
import { deliver, requestsPart } from "#app/web/media/deliver.server.ts";
import { hasDraftLink } from "#app/web/media/draft-cookie.server.ts";
import {
  CURRENT_FILES,
  decideFile,
  type FileFinders,
  grantOf,
  RECENT_FILES,
  RECENT_SEGMENTS,
} from "#app/web/media/file-access.server.ts";
import {
  downloadFromAnotherSite,
  downloadRefusal,
  overRangeLimit,
  withoutSentence,
} from "#app/web/media/file-refusals.server.ts";
import { isOverRangeLimit } from "#app/web/request/limits.server.ts";
import { isFromAnotherSite } from "#app/web/request/same-origin.server.ts";
import { anyone, findRecentViewer, findViewer } from "#app/web/session/guards.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await anyone(request, DECISIONS[kindOf(request, params)].find);
  const { pathname, search, searchParams } = new URL(request.url);
  const isDownload = searchParams.has("download");
  // Only a person who follows a download link reads the sentence.
  const answer = (refusal: Response) => (isDownload ? refusal : withoutSentence(refusal));
  const kind = kindOf(request, params);
  const what = kind === "other" ? "photo" : "video";
  if (isFromAnotherSite(request)) return answer(downloadFromAnotherSite(what));
  if (isDownload && !viewer.isAdult) return redirect(paths.enter(pathname + search));
  if (await isOverRangeLimit(request, viewer.user?.id, kind === "segments")) return answer(overRangeLimit());
  const wanted = {
    path: params["*"] ?? "",
    isDownload,
    hasDraftLink: (mediaId: string) => hasDraftLink(request, mediaId),
  };
  const decision = await decideFile(viewer, wanted, DECISIONS[kind].files);
  if (decision.status !== 200) return answer(downloadRefusal(what, decision.status));
  const sent = await deliver(grantOf(request, viewer, wanted, decision), decision.file, request);
  return isDownload && sent.status === 404 ? downloadRefusal(what, 404) : sent;
}

type Kind = "video" | "segments" | "other";

/** How old a decision may be: five seconds for the dozens of other files of a page, ten for a player's segments. */
const DECISIONS: Record<Kind, { find: (request: Request) => Promise<Viewer>; files: FileFinders }> = {
  video: { find: findViewer, files: CURRENT_FILES },
  segments: {
    find: (request) => findRecentViewer(request, SEGMENT_ACCESS_MAX_AGE_MS),
    files: RECENT_SEGMENTS,
  },
  other: { find: (request) => findRecentViewer(request), files: RECENT_FILES },
};

function kindOf(request: Request, { "*": path = "" }: LoaderFunctionArgs["params"]): Kind {
  if (!path.endsWith(".mp4")) return "other";
  // A range of another version is answered with the whole file.
  const isSegment = requestsPart(request) && !request.headers.has("if-range");
  return path.includes(`/${fileStems.rung}-`) && isSegment ? "segments" : "video";
}
