import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { findSetArchive } from "#app/domain/catalog/downloads/set-archive.server.ts";
import { paths } from "#app/paths.ts";
import { hasDraftLink } from "#app/web/media/draft-cookie.server.ts";
import { decideFile } from "#app/web/media/file-access.server.ts";
import {
  archiveRefusal,
  downloadFromAnotherSite,
  emptyResponse,
  overRangeLimit,
  withoutSentence,
} from "#app/web/media/file-refusals.server.ts";
import { startArchive } from "#app/web/media/running-videos.server.ts";
import { sendArchive } from "#app/web/media/send-archive.server.ts";
import { isOverRangeLimit } from "#app/web/request/limits.server.ts";
import { isFromAnotherSite } from "#app/web/request/same-origin.server.ts";
import { anyone, findViewerNow } from "#app/web/session/guards.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  const { pathname, search, searchParams } = new URL(request.url);
  // Only a person who follows the page's link reads the sentence.
  const isLink = searchParams.has("download");
  const answer = (refusal: Response) => (isLink ? refusal : withoutSentence(refusal));
  if (isFromAnotherSite(request)) return answer(downloadFromAnotherSite("set"));
  if (!viewer.isAdult) return isLink ? redirect(paths.enter(pathname + search)) : emptyResponse(403);
  if (await isOverRangeLimit(request, viewer.user?.id)) return answer(overRangeLimit());
  const archive = await findSetArchive(params.id ?? "");
  if (archive === null) return answer(archiveRefusal(404));
  const statusFor = async (index: number, of: typeof viewer) => {
    const file = archive.files[index];
    if (file === undefined) return 404;
    const path = paths.mediaFile(archive.mediaId, file.name, file.version).replace(/^\/media\//, "");
    const wanted = { path, isDownload: true, hasDraftLink: (id: string) => hasDraftLink(request, id) };
    return (await decideFile(of, wanted)).status;
  };
  const status = await statusFor(0, viewer);
  if (status !== 200) return answer(archiveRefusal(status));
  const mayHave = async (index: number) => (await statusFor(index, await findViewerNow(request))) === 200;
  return sendArchive(
    { mayHave, start: (options) => startArchive(request, viewer, { item: archive.mediaId, ...options }) },
    archive,
    request,
  );
}
