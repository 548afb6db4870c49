import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { requestLink } from "#app/adapters/email-link.server.ts";
import { formatZoneDate } from "#app/dates.ts";
import { signInForm } from "#app/domain/auth/sign-in-forms.ts";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import { RIGHTS, ROLES } from "#app/domain/staff/rights.ts";
import { changeRole, listStaff } from "#app/domain/staff/roles.server.ts";
import { paths } from "#app/paths.ts";
import { FIELD_TEXTS } from "#app/ui/studio/field-texts.ts";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { RoleForm } from "#app/ui/studio/staff/role-form.tsx";
import { StaffList } from "#app/ui/studio/staff/staff-list.tsx";
import styles from "#app/ui/studio/studio.module.css";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { takeNotice } from "#app/web/session/notice-cookie.server.ts";
import { outcomeOf } from "#app/web/studio/name-page.server.ts";
import { answerPart } from "#app/web/studio/part-form.server.ts";

export { keepTyped as shouldRevalidate };

const roleForm = z.object({
  email: signInForm.shape.email,
  role: z.enum(ROLES, "Please choose a role."),
});

export const meta: MetaFunction = () => pageMeta({ title: "Staff", robots: "noindex" });

/** `email` in the query: whose role is to be changed. */
export async function loader({ request }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "site");
  const [staff, { notice, headers }] = await Promise.all([listStaff(), takeNotice(request)]);
  const email = new URL(request.url).searchParams.get("email");
  const chosen = staff.find((person) => shownAddress(person.email) === email);
  const page = {
    staff: staff.map((person) => ({
      email: shownAddress(person.email),
      role: person.role,
      lastSeen: person.lastSeenAt && formatZoneDate(person.lastSeenAt, siteFacts.timeZone),
      isYou: person.id === member.user.id,
    })),
    values: { email: chosen ? shownAddress(chosen.email) : "", role: chosen?.role ?? ("editor" as const) },
    form: { version: "", notice },
  };
  return data(page, { headers });
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireStaff(request, "site", { confirmsInForm: true });
  let next = paths.studioStaff();
  return answerPart(request, member, {
    name: "role",
    schema: roleForm,
    save: async ({ email, role }) => {
      const changed = await changeRole(actorOf(member), email, role);
      if (!changed.done) return { saved: false, errors: { email: changed.error } };
      if (changed.email === member.user.email && !RIGHTS[role].includes("site")) next = paths.home();
      return outcomeOf(null);
    },
    texts: FIELD_TEXTS,
    saved: "The role is changed. It takes effect on the next page they open.",
    goTo: () => next,
    code: { stepUp: "roles", next: paths.studioStaff(), sendLink: requestLink },
  });
}

export default function StaffPage() {
  const { staff, values, form } = useLoaderData<typeof loader>();
  return (
    <StudioFrame title="Staff" about="The people who work here, and what each may do.">
      <section aria-labelledby="staff-title" className={styles.section}>
        <h2 id="staff-title">Who works here</h2>
        <StaffList staff={staff} />
      </section>
      <div className={styles.narrow}>
        <RoleForm key={values.email} values={values} form={form} />
      </div>
    </StudioFrame>
  );
}
