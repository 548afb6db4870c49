import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { z } from "zod";
import { requestLink } from "#app/adapters/email-link.server.ts";
import { formatZoneDate } from "#app/dates.ts";
import { signInForm } from "#app/domain/auth/sign-in-forms.ts";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import { RIGHTS, ROLES } from "#app/domain/staff/rights.ts";
import { changeRole, listStaff } from "#app/domain/staff/roles.server.ts";
import { paths } from "#app/paths.ts";
import { MAX_CODE_LENGTH } from "#app/texts.ts";
import { INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import { DoneStatus } from "#app/ui/forms/form-section.tsx";
import { RoleExplanations, RoleForm } from "#app/ui/studio/staff/role-form.tsx";
import { StaffList } from "#app/ui/studio/staff/staff-list.tsx";
import styles from "#app/ui/studio/studio.module.css";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { checkForm } from "#app/web/forms/checked-form.server.ts";
import type { RequestedCode } from "#app/web/forms/confirm-in-form.server.ts";
import { confirmInForm } from "#app/web/forms/confirm-in-form.server.ts";
import { readForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";

const SAVED = "The role is changed. It takes effect on the next page they open.";

/** `code` is empty when another one is requested. */
const roleForm = z.object({
  intent: z.enum(["give", "remove"], INCOMPLETE),
  email: signInForm.shape.email,
  role: z.enum(ROLES, "Please choose a role."),
  code: z.string().max(MAX_CODE_LENGTH, { abort: true }).optional(),
  again: z.literal("yes").optional(),
});

export const meta: MetaFunction = () => pageMeta({ title: "Staff", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "site");
  const staff = await listStaff();
  return {
    staff: staff.map(({ id, email, role, lastSeenAt }) => ({
      email: shownAddress(email),
      role,
      lastSeen: lastSeenAt && formatZoneDate(lastSeenAt, siteFacts.timeZone),
      isYou: id === member.user.id,
    })),
    isSaved: new URL(request.url).searchParams.get("saved") === "role",
    hasOutbox: siteFacts.hasOutbox,
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireStaff(request, "site", { confirmsInForm: true });
  const form = await readForm(request);
  const checked = checkForm(form, roleForm);
  if (!checked.ok) {
    const errorId = logRefusal(request, "role: form");
    return data({ form: checked.refused(), code: null, removal: null, errorId }, { status: 422 });
  }
  const { intent, email, role } = checked.value;
  const refuse = (error: string | undefined, code: RequestedCode | null, headers = new Headers()) =>
    data(
      {
        form: intent === "give" ? checked.refused(error === undefined ? {} : { email: error }) : undefined,
        removal: intent === "remove" ? { email: shownAddress(email), error, code } : null,
        code: intent === "give" ? code : null,
        errorId: error === undefined ? undefined : logRefusal(request, "role: not changed"),
      },
      { status: error === undefined ? 403 : 422, headers },
    );

  const actor = actorOf(member);
  const planned = await changeRole(actor, email, role, { isDryRun: true });
  if (!planned.done) return refuse(planned.error, null);
  const confirmation = await confirmInForm(request, member, form, {
    stepUp: "roles",
    next: paths.studioStaff(),
    sendLink: requestLink,
  });
  const { headers } = confirmation;
  if (!confirmation.isConfirmed) return refuse(undefined, confirmation.code, headers);

  const changed = await changeRole(actor, email, role);
  if (!changed.done) return refuse(changed.error, null, headers);
  const isOwnLoss = changed.email === member.user.email && !RIGHTS[role].includes("site");
  const next = isOwnLoss ? paths.home() : paths.studioStaff({ saved: "role" });
  return redirect(next, { status: 303, headers });
}

export default function StaffPage() {
  const { staff, isSaved, hasOutbox } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { key } = useLocation();
  const doneKey = isSaved && refused === undefined ? key : null;
  const status = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (doneKey !== null) status.current?.scrollIntoView({ block: "center" });
  }, [doneKey]);
  return (
    <StudioFrame title="Staff" about="The people who work here, and what each may do.">
      <DoneStatus done={doneKey === null ? undefined : SAVED} ref={status} />
      <section aria-labelledby="staff-title" className={styles.section}>
        <h2 id="staff-title">Who works here</h2>
        <StaffList staff={staff} refused={refused?.removal ?? null} hasOutbox={hasOutbox} />
      </section>
      <section aria-labelledby="role-title" className={`${styles.section} ${styles.narrow}`}>
        <h2 id="role-title">Give somebody a role</h2>
        <RoleExplanations />
        {/* Empty again once the role is given. */}
        <RoleForm
          key={doneKey ?? "opened"}
          refused={refused?.form}
          code={refused?.code ?? null}
          errorId={refused?.errorId}
          hasOutbox={hasOutbox}
        />
      </section>
    </StudioFrame>
  );
}
