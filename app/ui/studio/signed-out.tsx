import { useRouteLoaderData } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { useUser } from "#app/ui/session/user-context.tsx";

/** The session has ended, for example by a sign-out in another tab: a form sent now would only lead to the sign-in page. */
export function useIsSignedOut(): boolean {
  const root = useRouteLoaderData<{ isViewerKnown: boolean }>("root");
  return useUser() === null && root?.isViewerKnown === true;
}

export function SignedOutNote() {
  return (
    <FormError>
      You are signed out. Your changes are still here.{" "}
      <a href={paths.signIn(paths.studio())} target="_blank" rel="noreferrer">
        Sign in in another tab
      </a>
      , then save them.
    </FormError>
  );
}
