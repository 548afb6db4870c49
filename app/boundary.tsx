import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { useErrorId } from "#app/web/pages/render-context.tsx";
import { ErrorPage } from "./ui/errors/error-page.tsx";
import { errorText } from "./ui/errors/error-texts.ts";

/** Every route below the root has it: caught at the root, a refused form would lose the site's name and menu. */
export function ErrorBoundary() {
  const error = useRouteError();
  const pagesErrorId = useErrorId();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const details = isRouteErrorResponse(error) ? error.data : null;
  // A client navigation has no rendered page to carry it.
  const errorId = pagesErrorId ?? details?.errorId;
  const wait = Number(details?.retryAfterSeconds ?? Number.NaN);
  const text = errorText(status, {
    waitSeconds: Number.isNaN(wait) ? undefined : wait,
    isShared: details?.isShared === true,
  });
  return <ErrorPage text={text} errorId={errorId} />;
}
