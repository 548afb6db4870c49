import { isRouteErrorResponse, type MetaFunction, useRouteError } from "@remix-run/react";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { useErrorId } from "#app/web/pages/render-context.tsx";
import { ErrorPage } from "./ui/errors/error-page.tsx";
import { errorText } from "./ui/errors/error-texts.ts";

/** A failed route loses its own meta. */
export const meta: MetaFunction = ({ error }) =>
  error === null || error === undefined
    ? pageMeta()
    : pageMeta({ title: errorText(statusOf(error)).title, robots: "noindex" });

/** Below the root, because an error caught there would lose the site's name and menu. */
export function ErrorBoundary() {
  const error = useRouteError();
  const pagesErrorId = useErrorId();
  const details = isRouteErrorResponse(error) ? error.data : null;
  // A client navigation has no rendered page.
  const errorId = pagesErrorId ?? details?.errorId;
  const wait = Number(details?.retryAfterSeconds ?? Number.NaN);
  const text = errorText(statusOf(error), {
    waitSeconds: Number.isNaN(wait) ? undefined : wait,
    isShared: details?.isShared === true,
  });
  return <ErrorPage text={text} errorId={errorId} />;
}

function statusOf(error: unknown): number {
  return isRouteErrorResponse(error) ? error.status : 500;
}
