import {
  type ActionFunctionArgs,
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import { useSyncExternalStore } from "react";
import { count } from "#app/counts.ts";
import { declareBatch } from "#app/domain/uploads/batches.server.ts";
import {
  dismissBatch,
  goOnWithout,
  removeUploads,
  retryBatch,
} from "#app/domain/uploads/own-batches.server.ts";
import { UPLOAD_LIMITS } from "#app/domain/uploads/upload-limits.ts";
import { paths } from "#app/paths.ts";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { troubleNamed, troubleSentence } from "#app/ui/studio/upload/form-troubles.ts";
import { sender } from "#app/ui/studio/upload/sending.ts";
import { UploadBatch } from "#app/ui/studio/upload/upload-batch.tsx";
import { UploadForm } from "#app/ui/studio/upload/upload-form.tsx";
import { UploadPicker } from "#app/ui/studio/upload/upload-picker.tsx";
import { isImporting, useUploads } from "#app/ui/studio/upload/use-uploads.ts";
import { readIntent, readStaffForm } from "#app/web/forms/form-body.server.ts";
import { readChosen, readIds, UPLOAD_FORM_LIMITS, uploadForm } from "#app/web/forms/upload-form.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";
import { findUploads } from "#app/web/studio/upload-page.server.ts";

const REFRESH_SECONDS = 3;

/** An ended session would lead to the sign-in page, and the uploads under way would be lost. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ defaultShouldRevalidate, formMethod }) =>
  defaultShouldRevalidate && (formMethod !== undefined || !sender.isBusy);

export const meta: MetaFunction = () => pageMeta({ title: "Upload", robots: "noindex" });

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export async function loader({ request }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const { searchParams } = new URL(request.url);
  const batches = await findUploads(member.user.id);
  const arrived = Number(searchParams.get("arrived") ?? 0);
  const page = {
    batches,
    form: { ...uploadForm(), limits: UPLOAD_FORM_LIMITS },
    maxFiles: UPLOAD_LIMITS.files,
    arrived: Number.isSafeInteger(arrived) ? arrived : 0,
    trouble: troubleNamed(searchParams.get("trouble")),
  };
  // Only forms without scripts lead here with `arrived`: a reload would end what scripts are sending.
  const isRefreshed = batches.some(isImporting) && searchParams.has("arrived");
  return data(page, isRefreshed ? { headers: { Refresh: String(REFRESH_SECONDS) } } : {});
}

const INTENTS = ["declare", "remove", "dismiss", "retry", "goOn"] as const;

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const { id: userId } = member.user;
  const form = await readStaffForm(request);
  const intent = readIntent(form, INTENTS);
  if (intent === "declare") {
    const chosen = readChosen(form);
    if (chosen === null)
      return data({ error: "These files could not be read. Please choose them again." }, 422);
    const declared = await declareBatch(userId, chosen);
    if ("problem" in declared) return data({ error: declared.problem }, 507);
    return data({ declared: declared.uploads });
  }
  const [batchId] = readIds(form, "batch");
  if (intent === "remove") await removeUploads(userId, readIds(form, "upload"));
  if (intent === "dismiss" && batchId !== undefined) await dismissBatch(userId, batchId);
  const reopens = { retry: retryBatch, goOn: goOnWithout };
  const isRefused =
    (intent === "retry" || intent === "goOn") &&
    batchId !== undefined &&
    (await reopens[intent](userId, batchId)) !== null;
  const query = { arrived: form.has("arrived") ? 0 : undefined, trouble: isRefused ? "open" : undefined };
  return redirect(paths.studioUpload(query), { status: 303 });
}

export default function StudioUploadPage() {
  const { batches: loaded, form, maxFiles, arrived, trouble } = useLoaderData<typeof loader>();
  const isScripted = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const { batches, sending, choose, isPreparing, error } = useUploads(loaded, maxFiles);
  return (
    <StudioFrame
      title="Upload"
      about="Only you can see your uploads. Every editor can see the drafts that are made from them."
    >
      <FormError>{error}</FormError>
      {trouble !== null && (
        <FormError>
          {troubleSentence(trouble, form.limits)}{" "}
          {arrived > 0 ? `${count(arrived, "other file")} uploaded.` : ""}
        </FormError>
      )}
      {trouble === null && arrived > 0 && <p role="status">{count(arrived, "file")} uploaded.</p>}
      <UploadPicker isPreparing={isPreparing} onChoose={choose} />
      <noscript>
        <UploadForm {...form} />
      </noscript>
      {batches.map((batch) => (
        <UploadBatch key={batch.id} batch={batch} sending={sending} isScripted={isScripted} />
      ))}
    </StudioFrame>
  );
}

const neverChanges = () => () => {};
