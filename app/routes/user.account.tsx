import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { COUNTRIES } from "#app/domain/auth/countries.ts";
import { deleteAccount, findProfile, saveProfile } from "#app/domain/auth/profile.server.ts";
import { PROFILE_LIMITS, profileForm, profileValues } from "#app/domain/auth/profile-form.ts";
import { listDevices } from "#app/domain/auth/sessions.server.ts";
import { accountSubscription } from "#app/domain/billing/account-subscription.server.ts";
import { dayWords } from "#app/domain/billing/day-words.ts";
import { endEverything } from "#app/domain/billing/end-everything.server.ts";
import type { Leaving } from "#app/domain/billing/leaving.ts";
import { deleteAvatars } from "#app/domain/media/avatar.server.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/account/account.module.css";
import type { AccountRefusal } from "#app/ui/account/account-refusal.ts";
import { AccountSection } from "#app/ui/account/account-section.tsx";
import { AvatarForm } from "#app/ui/account/avatar-form.tsx";
import { billingWords, cardWords } from "#app/ui/account/card-words.ts";
import { ColorModeForm } from "#app/ui/account/color-mode-form.tsx";
import { DeleteForm } from "#app/ui/account/delete-form.tsx";
import { DeviceList } from "#app/ui/account/device-list.tsx";
import { ProblemSummary } from "#app/ui/account/problem-summary.tsx";
import { ProfileForm } from "#app/ui/account/profile-form.tsx";
import { isSaved, SAVED, type Saved } from "#app/ui/account/saved.ts";
import { SubscriptionSection } from "#app/ui/account/subscription-section.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { initials } from "#app/ui/initials.ts";
import { changePicture } from "#app/web/change-picture.server.ts";
import { checkForm } from "#app/web/checked-form.server.ts";
import { endSession } from "#app/web/end-session.server.ts";
import { field, isUpload, readForm } from "#app/web/form-body.server.ts";
import { requireMember } from "#app/web/guards.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { noteRefusal } from "#app/web/refusal-id.server.ts";

/** Nobody who is still charged may lose the account that it could be ended with. */
const STILL_CHARGED = {
  away: "Your subscription has to end first, and the payment provider does not answer. Nothing was deleted. Please try again in a minute.",
  begun:
    "A purchase was begun in another tab meanwhile. Nothing was deleted. Please try again: that closes it.",
  elsewhere:
    "Your subscription has to end first, and it was sold through a payment account that this site no longer uses, which only the operator can reach. Nothing was deleted. Please write to the operator of this site.",
};

export const meta: MetaFunction = () => pageMeta({ title: "Your Account", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const member = await requireMember(request);
  const [stored, devices] = await Promise.all([findProfile(member.user.id), listDevices(member.user.id)]);
  if (stored === null) throw new Response("Not Found", { status: 404 });

  const saved = new URL(request.url).searchParams.get("saved");
  return {
    email: stored.email,
    avatarUrl: stored.avatar_url,
    initials: initials(stored.full_name || "User Name"),
    profile: profileValues(stored),
    limits: PROFILE_LIMITS,
    countries: COUNTRIES,
    subscription: {
      ...(await accountSubscription(member, stored.payment_method)),
      billingMethod: billingWords(stored.billing_method),
      paymentMethod: cardWords(stored.payment_method),
    },
    devices: devices.map(({ sessionId, device, network, renewedAt }) => ({
      sessionId,
      device,
      network,
      lastUsed: dayWords(renewedAt),
      isThis: sessionId === member.session.sessionId,
    })),
    saved: isSaved(saved) ? saved : null,
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const { user } = await requireMember(request);
  if (isUpload(request)) {
    const refused = await changePicture(user.id, request);
    return refused
      ? refuse(request, { avatar: refused.problem }, refused.status)
      : done("picture", "picture");
  }

  const form = await readForm(request);
  const intent = field(form, "intent");
  form.delete("intent");
  if (intent === "profile") return changeProfile(user.id, form, request);
  if (intent === "delete") return removeAccount(user.id, form, request);
  throw new Response("Request Failed", { status: 400 });
}

async function changeProfile(userId: string, form: FormData, request: Request) {
  const checked = checkForm(form, profileForm);
  if (!checked.ok) return refuse(request, { profile: checked.refused() });

  await saveProfile(userId, checked.value);
  return done("profile", "profile");
}

async function removeAccount(userId: string, form: FormData, request: Request) {
  if (field(form, "confirm") !== "yes") {
    return refuse(request, { removal: "Please tick the box if you really want to delete your account." });
  }
  const ended = await endEverything(userId);
  if (ended !== "done")
    return refuse(request, { removal: STILL_CHARGED[ended] }, ended === "away" ? 503 : 409);

  if (!(await deleteAccount(userId))) return refuse(request, { removal: STILL_CHARGED.begun }, 409);
  await deleteAvatars(userId);
  return redirect(paths.home(), { status: 303, headers: { "Set-Cookie": await endSession(request) } });
}

function refuse(request: Request, refusal: AccountRefusal, status = 422) {
  const errorId = noteRefusal(request, `account: ${Object.keys(refusal).join()}`);
  return data({ ...refusal, errorId }, { status });
}

function done(what: Saved, section: string) {
  return redirect(`${paths.account({ saved: what })}#${section}`, { status: 303 });
}

function endsWithAccount(leaving: Leaving | null): boolean {
  return leaving !== null && leaving.kind !== "over" && leaving.kind !== "elsewhere";
}

export default function AccountPage() {
  const account = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  const { key } = useLocation();
  const saved = refusal === undefined ? account.saved : null;
  const doneIn = (...names: Saved[]) => names.filter((name) => name === saved).map((name) => SAVED[name])[0];
  return (
    <div className={styles.page}>
      <header className={styles.who}>
        <h1>Your Account</h1>
        <p>Signed in as {account.email}</p>
      </header>
      <ProblemSummary refusal={refusal} />
      <AccountSection
        id="profile"
        title="Profile"
        about="All of it is optional and seen by nobody else."
        done={doneIn("profile")}
      >
        {/* What was saved is shown as it is stored now. */}
        <ProfileForm key={saved === "profile" ? key : "form"} {...account} lastResult={refusal?.profile} />
      </AccountSection>
      <AccountSection
        id="picture"
        title="Picture"
        about="Shown in your menu, to you alone."
        done={doneIn("picture", "picture-removed")}
      >
        {/* A new picture leaves no chosen file behind. */}
        <AvatarForm
          key={account.avatarUrl}
          avatarUrl={account.avatarUrl}
          initials={account.initials}
          problem={refusal?.avatar}
        />
      </AccountSection>
      <AccountSection
        id="subscription"
        title="Subscription"
        about="What it opens to you, what is charged, and how to end it."
        done={doneIn("cancelled", "kept", "resumed")}
      >
        <SubscriptionSection {...account.subscription} />
      </AccountSection>
      <AccountSection id="color-mode" title="Color mode" about="Kept on this device.">
        <ColorModeForm />
      </AccountSection>
      <AccountSection
        id="devices"
        title="Devices"
        about="Where you are signed in. Sign out what you do not know."
        done={doneIn("device")}
      >
        <DeviceList devices={account.devices} />
      </AccountSection>
      <AccountSection id="data" title="Your data" about="Everything the site knows of you, as one JSON file.">
        <a href={paths.accountAction("export")} download className={buttonClass("quiet")}>
          Download my data
        </a>
      </AccountSection>
      <AccountSection id="delete" title="Delete account" about="Takes everything of you off this site.">
        <DeleteForm
          problem={refusal?.removal}
          endsSubscription={endsWithAccount(account.subscription.leaving)}
        />
      </AccountSection>
    </div>
  );
}
