import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { ErrorPage } from "./ui/shell/error-page.tsx";
import { errorText } from "./ui/shell/error-texts.ts";
import { useErrorId } from "./web/error-id.tsx";

/**
 * Around every route, below the root: were the root itself what catches, a form that is refused would be answered
 * without the root's data, so without the site's name, the reader's menu and their colour mode.
 */
export function ErrorBoundary() {
  const error = useRouteError();
  const pagesErrorId = useErrorId();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const details = isRouteErrorResponse(error) ? error.data : null;
  // A link that is followed by script has no page of its own to carry it.
  const errorId = pagesErrorId ?? details?.errorId;
  const wait = Number(details?.retryAfterSeconds ?? Number.NaN);
  return <ErrorPage text={errorText(status, Number.isNaN(wait) ? undefined : wait)} errorId={errorId} />;
}
