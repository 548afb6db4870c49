import { useLocation } from "@remix-run/react";
import type { ComponentProps } from "react";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { AvatarForm } from "./avatar-form.tsx";
import { ColorModeForm } from "./color-mode-form.tsx";
import type { AccountRefusal } from "./error-summary.tsx";
import { ProfileForm } from "./profile-form.tsx";
import type { Saved } from "./saved-messages.ts";
import { SubscriptionSection } from "./subscription-section.tsx";

interface AccountSettingsProps {
  account: Omit<ComponentProps<typeof ProfileForm>, "lastResult"> &
    Omit<ComponentProps<typeof AvatarForm>, "error"> & {
      subscription: ComponentProps<typeof SubscriptionSection>;
      saved: Saved | null;
    };
  refusal: AccountRefusal | undefined;
  doneIn: (...names: Saved[]) => string | undefined;
}

export function AccountSettings({ account, refusal, doneIn }: AccountSettingsProps) {
  const { key } = useLocation();
  const isSaved = doneIn("profile") !== undefined;
  return (
    <>
      <FormSection
        id="subscription"
        title="Subscription"
        about="Your access, your payments, and how to cancel."
        done={doneIn("kept", "resumed")}
      >
        <SubscriptionSection {...account.subscription} />
      </FormSection>
      <FormSection
        id="profile"
        title="Profile"
        about="Everything here is optional, and nobody else sees it."
        done={doneIn("profile", "account-kept")}
      >
        {/* Remounts after saving to show the stored values. */}
        <ProfileForm key={isSaved ? key : "form"} {...account} lastResult={refusal?.profile} />
      </FormSection>
      <FormSection
        id="picture"
        title="Picture"
        about="It appears in your menu, and only you see it."
        done={doneIn("picture", "picture-removed")}
      >
        <AvatarForm
          key={account.avatarUrl}
          avatarUrl={account.avatarUrl}
          initials={account.initials}
          error={refusal?.avatar}
        />
      </FormSection>
      <FormSection id="color-mode" title="Color mode" about="For this browser only.">
        <ColorModeForm />
      </FormSection>
    </>
  );
}
