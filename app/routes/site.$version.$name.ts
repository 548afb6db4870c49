import type { LoaderFunctionArgs } from "@remix-run/node";
import { findSiteFile } from "#app/domain/site/site-files.server.ts";
import { deliver, type Grant } from "#app/web/media/deliver.server.ts";
import { emptyResponse } from "#app/web/media/file-refusals.server.ts";
import { anyoneOrUnknown } from "#app/web/session/guards.server.ts";

/** Outside the age gate: browsers and other sites fetch icons and share pictures without cookies. */
const FOR_EVERYBODY: Grant = {
  isTeaser: false,
  isImmutable: true,
  isDownload: false,
  hasAccess: async () => true,
  startSending: async () => null,
};

export async function loader({ request, params }: LoaderFunctionArgs) {
  await anyoneOrUnknown(request);
  const found = await findSiteFile(params.version ?? "", params.name ?? "");
  if (found === null) return emptyResponse(404);
  return deliver(FOR_EVERYBODY, { ...found, hash: found.sha256 }, request);
}
