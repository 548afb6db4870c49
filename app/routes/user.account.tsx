import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findProfile } from "#app/domain/auth/profile.server.ts";
import { listDevices } from "#app/domain/auth/sessions.server.ts";
import { AvatarForm } from "#app/ui/account/avatar-form.tsx";
import { DeviceList } from "#app/ui/account/device-list.tsx";
import { OwnDataForms } from "#app/ui/account/own-data-forms.tsx";
import { ProfileForm } from "#app/ui/account/profile-form.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "#app/ui/forms/form.module.css";
import { ColorModeSwitch } from "#app/ui/shell/color-mode-switch.tsx";
import { requireMember } from "#app/web/guards.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Your Account", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const member = await requireMember(request);
  const [profile, devices] = await Promise.all([findProfile(member.user.id), listDevices(member.user.id)]);
  if (profile === null) throw new Response("Not Found", { status: 404 });

  const { payment_method: card } = profile;
  return {
    profile: {
      email: profile.email,
      fullName: profile.full_name ?? "",
      address: profile.billing_address ?? {},
      avatarUrl: profile.avatar_url,
      billingMethod: profile.billing_method ?? "None yet",
      paymentMethod: card ? `${card.brand} ending in ${card.last4}` : "None yet",
    },
    subscription: member.subscription
      ? `${member.subscription.status}, until ${day(member.subscription.currentPeriodEnd)}`
      : "You have no subscription.",
    devices: devices.map(({ sessionId, device, network, renewedAt }) => ({
      sessionId,
      device,
      network,
      lastUsed: day(renewedAt),
      isThis: sessionId === member.session.sessionId,
    })),
  };
}

export default function AccountPage() {
  const { profile, subscription, devices } = useLoaderData<typeof loader>();
  return (
    <div className={styles.column}>
      <h1>Your Account</h1>
      <p>Signed in as {profile.email}</p>
      <ProfileForm profile={profile} />
      <AvatarForm avatarUrl={profile.avatarUrl} />
      <section className={styles.form}>
        <h2>Subscription</h2>
        <p>{subscription}</p>
      </section>
      <section className={styles.form}>
        <h2>Color mode</h2>
        <ColorModeSwitch className={buttonClass("quiet")} withWords />
      </section>
      <DeviceList devices={devices} />
      <OwnDataForms />
    </div>
  );
}

function day(date: Date): string {
  return new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(date);
}
