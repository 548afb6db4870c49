import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, type ShouldRevalidateFunction, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type ChosenFile, declareBatch } from "#app/domain/uploads/batches.server.ts";
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
import { sender } from "#app/ui/studio/upload/sending.ts";
import { UploadBatch } from "#app/ui/studio/upload/upload-batch.tsx";
import { UploadPicker } from "#app/ui/studio/upload/upload-picker.tsx";
import { useUploads } from "#app/ui/studio/upload/use-uploads.ts";
import { readIntent, readStaffForm } from "#app/web/forms/form-body.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";
import { findUploads } from "#app/web/studio/upload-page.server.ts";

/** An ended session would lead to the sign-in page, and the uploads under way would be lost. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ defaultShouldRevalidate, formMethod }) =>
  defaultShouldRevalidate && (formMethod !== undefined || !sender.isBusy);

export const meta: MetaFunction = () => pageMeta({ title: "Upload", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  return { batches: await findUploads(member.user.id), maxFiles: UPLOAD_LIMITS.files };
}

const INTENTS = ["declare", "remove", "dismiss", "retry", "goOn"] as const;

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const { id: userId } = member.user;
  const form = await readStaffForm(request);
  const intent = readIntent(form, INTENTS);
  if (intent === "declare") {
    const chosen = chosenIn(form);
    if (chosen === null)
      return data({ error: "These files could not be read. Please choose them again." }, 422);
    const declared = await declareBatch(userId, chosen);
    if ("problem" in declared) return data({ error: declared.problem }, 507);
    return data({ declared: declared.uploads });
  }
  if (intent === "remove") await removeUploads(userId, idsIn(form, "upload"));
  const [batchId] = idsIn(form, "batch");
  if (batchId !== undefined) {
    if (intent === "dismiss") await dismissBatch(userId, batchId);
    const reopen = intent === "retry" ? retryBatch : intent === "goOn" ? goOnWithout : null;
    const problem = await reopen?.(userId, batchId);
    if (problem) return data({ error: problem }, 422);
  }
  return redirect(paths.studioUpload(), { status: 303 });
}

const CHOSEN = /^(\d{1,15}) (\S*) (.+)$/s;

/** "12 fingerprint folder/name" for each file. */
function chosenIn(form: FormData): ChosenFile[] | null {
  const lines = form.getAll("file");
  if (lines.length === 0 || lines.length > UPLOAD_LIMITS.files) return null;
  const files = lines.map((line) => {
    const [, bytes = "", fingerprint = "", path = ""] = (typeof line === "string" && CHOSEN.exec(line)) || [];
    const isValid = path !== "" && fingerprint.length <= UPLOAD_LIMITS.fingerprint;
    return isValid ? { bytes: Number(bytes), fingerprint, path } : null;
  });
  return files.every((file) => file !== null) ? files : null;
}

const ids = z.array(z.uuid()).max(UPLOAD_LIMITS.files);

function idsIn(form: FormData, name: "upload" | "batch"): string[] {
  return ids.safeParse(form.getAll(name)).data ?? [];
}

export default function StudioUploadPage() {
  const { batches: loaded, maxFiles } = useLoaderData<typeof loader>();
  const refused = useActionData<{ error?: string }>();
  const { batches, sending, choose, isPreparing, error = refused?.error } = useUploads(loaded, maxFiles);
  return (
    <StudioFrame
      title="Upload"
      about={
        <>
          Only you can see your uploads. Every editor can see the drafts that are made from them. An item’s
          Files page shows its encoding, and <Link to={paths.studio()}>To do</Link> lists what has failed.
        </>
      }
    >
      <FormError>{error}</FormError>
      <UploadPicker isPreparing={isPreparing} onChoose={choose} />
      <noscript>
        <p>
          Uploading needs JavaScript: files are sent in pieces, so that an interrupted upload can continue.
        </p>
      </noscript>
      {batches.map((batch) => (
        <UploadBatch key={batch.id} batch={batch} sending={sending} />
      ))}
    </StudioFrame>
  );
}
