import { Button } from "@mantine/core";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formatDate } from "#app/dates.ts";
import { deletionDay, keepAccount, UNDO_DAYS } from "#app/domain/account/request-deletion.server.ts";
import { COUNTRIES } from "#app/domain/auth/countries.ts";
import { findProfile, saveProfile } from "#app/domain/auth/profile.server.ts";
import { PROFILE_LIMITS, profileForm, profileValues } from "#app/domain/auth/profile-fields.ts";
import { accountSubscription, cardExpiry } from "#app/domain/billing/account/account-subscription.server.ts";
import type { CancellationState } from "#app/domain/billing/rules/cancellation-state.ts";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/account/account.module.css";
import { AccountSettings } from "#app/ui/account/account-settings.tsx";
import { ClosingAccount } from "#app/ui/account/closing-account.tsx";
import { DeleteForm } from "#app/ui/account/delete-form.tsx";
import { DeviceList } from "#app/ui/account/device-list.tsx";
import { type AccountRefusal, ErrorSummary } from "#app/ui/account/error-summary.tsx";
import { isSaved, SAVED_MESSAGES, type Saved } from "#app/ui/account/saved-messages.ts";
import { billingMethodText, cardText } from "#app/ui/account/subscription-section.tsx";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { initials, shownName } from "#app/ui/parts/initials.ts";
import "#app/ui/theme/mantine.css";
import { checkForm } from "#app/web/forms/checked-form.server.ts";
import { closeAccount } from "#app/web/forms/close-account.server.ts";
import { isUpload, readForm, readIntent } from "#app/web/forms/form-body.server.ts";
import { logRefusal, logUnknownFields } from "#app/web/forms/form-refusal.server.ts";
import { changeAvatar } from "#app/web/forms/picture-upload.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import {
  assertFreshSignIn,
  hasFreshSignIn,
  type Member,
  requireMember,
} from "#app/web/session/guards.server.ts";
import { endSession } from "#app/web/session/session-cookie.server.ts";

/** Created once, because they are most of the page's elements. */
const COUNTRY_OPTIONS = COUNTRIES.map(({ code, name }) => (
  <option key={code} value={code}>
    {name}
  </option>
));

export const meta: MetaFunction = () => pageMeta({ title: "Your Account", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const member = await requireMember(request);
  const [stored, subscription] = await Promise.all([
    findProfile(member.user.id),
    accountSubscription(member),
  ]);
  if (stored === null) throw new Response("Not Found", { status: 404 });

  const saved = new URL(request.url).searchParams.get("saved");
  return {
    email: shownAddress(stored.email),
    deletesOn: deletionDay(stored.deletionRequestedAt),
    undoDays: UNDO_DAYS,
    hasFreshSignIn: hasFreshSignIn(member, "delete"),
    avatarUrl: stored.avatar_url,
    initials: initials(shownName(stored.full_name)),
    profile: profileValues(stored),
    limits: PROFILE_LIMITS,
    subscription: {
      ...subscription,
      cardExpiry: stored.payment_method && cardExpiry(stored.payment_method, member.session.now),
      billingMethod: billingMethodText(stored.billing_method),
      paymentMethod: cardText(stored.payment_method),
    },
    devices: stored.devices.map(({ sessionId, device, network, renewedAt }) => ({
      sessionId,
      device,
      network,
      lastUsed: formatDate(renewedAt),
      isThis: sessionId === member.session.sessionId,
    })),
    saved: isSaved(saved) ? saved : null,
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request);
  const { user } = member;
  if (isUpload(request)) {
    const refused = await changeAvatar(user.id, request);
    return refused ? refuse(request, { avatar: refused.error }, refused.status) : done("picture", "picture");
  }

  const form = await readForm(request);
  const intent = readIntent(form, ["profile", "delete", "keep"]);
  form.delete("intent");
  if (intent === "profile") return changeProfile(user.id, form, request);
  if (intent === "delete") return removeAccount(member, form, request);
  if (intent === "keep") {
    await keepAccount(user.id);
    return done("account-kept", "profile");
  }
  return refuse(request, { form: "The form was not complete. Please press the button again." });
}

async function changeProfile(userId: string, form: FormData, request: Request) {
  const checked = checkForm(form, profileForm);
  if (!checked.ok) {
    const errorId = logUnknownFields(request, "profile", checked);
    return refuse(request, { profile: checked.refused() }, 422, errorId);
  }
  await saveProfile(userId, checked.value);
  return done("profile", "profile");
}

async function removeAccount(member: Member, form: FormData, request: Request) {
  assertFreshSignIn(request, member, "delete");
  const refused = await closeAccount(member.user.id, form);
  if (refused?.status === 422) {
    logRefusal(request, "account: removal");
    return data<AccountRefusal>({ removal: refused.error }, { status: 422 });
  }
  if (refused !== null) return refuse(request, { removal: refused.error }, refused.status);
  const headers = { "Set-Cookie": await endSession(request) };
  return redirect(paths.keepAccount({ done: "requested" }), { status: 303, headers });
}

/** `logged`: the id of an existing log line. */
function refuse(request: Request, refusal: AccountRefusal, status = 422, logged?: string) {
  const errorId = logged ?? logRefusal(request, `account: ${Object.keys(refusal).join()}`);
  return data({ ...refusal, errorId }, { status });
}

function done(what: Saved, section: string) {
  return redirect(`${paths.account({ saved: what })}#${section}`, { status: 303 });
}

function endsWithAccount(cancellation: CancellationState | null): boolean {
  return cancellation !== null && cancellation.kind !== "over" && cancellation.kind !== "unknownToProvider";
}

export default function AccountPage() {
  const account = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  const saved = refusal === undefined ? account.saved : null;
  const doneIn = (...names: Saved[]) =>
    names.filter((name) => name === saved).map((name) => SAVED_MESSAGES[name])[0];
  return (
    <div className={styles.page}>
      {account.deletesOn === null ? (
        <header className={styles.who}>
          <h1>Your Account</h1>
          <p>Signed in as {account.email}</p>
        </header>
      ) : (
        <ClosingAccount email={account.email} deletesOn={account.deletesOn} />
      )}
      <ErrorSummary refusal={refusal} />
      {account.deletesOn === null && (
        <AccountSettings
          account={{ ...account, countryOptions: COUNTRY_OPTIONS }}
          refusal={refusal}
          doneIn={doneIn}
        />
      )}
      <FormSection
        id="devices"
        title="Devices"
        about="Where you are signed in. Sign out any device you do not recognize."
        done={doneIn("device")}
      >
        <DeviceList devices={account.devices} />
      </FormSection>
      <FormSection
        id="data"
        title="Your data"
        about="Everything this site knows about you, as one JSON file."
        done={doneIn("confirmed-export")}
      >
        {/* No download attribute: with an old sign-in the link leads to a page. */}
        <Button component="a" href={paths.accountAction("export")} variant="default">
          Download my data
        </Button>
      </FormSection>
      {account.deletesOn === null && (
        <FormSection
          id="delete"
          title="Delete account"
          about="Removes your profile, your history and your favorites."
          done={doneIn("confirmed-delete")}
        >
          <DeleteForm
            error={refusal?.removal}
            hasFreshSignIn={account.hasFreshSignIn}
            undoDays={account.undoDays}
            endsSubscription={endsWithAccount(account.subscription.cancellation)}
            isPrepaid={account.subscription.cancellation?.kind === "prepaid"}
          />
        </FormSection>
      )}
    </div>
  );
}
