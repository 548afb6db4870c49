import type { LoaderFunctionArgs } from "@remix-run/node";
import { findSetArchive } from "#app/domain/catalog/downloads/set-archive.server.ts";
import { paths } from "#app/paths.ts";
import { hasDraftLink } from "#app/web/media/draft-cookie.server.ts";
import { decideFile } from "#app/web/media/file-access.server.ts";
import { archiveRefusal, emptyResponse } from "#app/web/media/file-refusals.server.ts";
import { startArchive } from "#app/web/media/running-videos.server.ts";
import { sendArchive } from "#app/web/media/send-archive.server.ts";
import { isOverRangeLimit } from "#app/web/request/limits.server.ts";
import { isFromAnotherSite } from "#app/web/request/same-origin.server.ts";
import { anyone, findViewerNow } from "#app/web/session/guards.server.ts";

/** The checksums of files from before they were kept are filled in within minutes of an upgrade. */
const UNSUMMED_SECONDS = 60;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  if (isFromAnotherSite(request)) return emptyResponse(403);
  if (!viewer.isAdult) return emptyResponse(403);
  if (await isOverRangeLimit(request, viewer.user?.id)) return emptyResponse(429, { "Retry-After": "1" });
  const archive = await findSetArchive(params.id ?? "");
  // The page's link has `?download`, so a person reads the answer.
  const isLink = new URL(request.url).searchParams.has("download");
  const refused = (status: 403 | 404 | 410) => (isLink ? archiveRefusal(status) : emptyResponse(status));
  if (archive === null) return refused(404);
  const statusFor = async (index: number, of: typeof viewer) => {
    const file = archive.files[index];
    if (file === undefined) return 404;
    const path = paths.mediaFile(archive.mediaId, file.name, file.version).replace(/^\/media\//, "");
    const wanted = { path, isDownload: true, hasDraftLink: (id: string) => hasDraftLink(request, id) };
    return (await decideFile(of, wanted)).status;
  };
  const status = await statusFor(0, viewer);
  if (status !== 200) return refused(status);
  const { layout } = archive;
  if (layout === null) return emptyResponse(503, { "Retry-After": String(UNSUMMED_SECONDS) });
  const mayHave = async (index: number) => (await statusFor(index, await findViewerNow(request))) === 200;
  return sendArchive(
    { mayHave, start: (goesOn) => startArchive(request, viewer, goesOn) },
    { ...archive, layout },
    request,
  );
}
