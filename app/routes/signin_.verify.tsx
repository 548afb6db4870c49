import { Button } from "@mantine/core";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { formatMinute } from "#app/dates.ts";
import { signInByLink } from "#app/domain/auth/sign-in.server.ts";
import {
  findLink,
  findOpenRequest,
  type MailedLink,
  SIGN_IN_LIFETIME,
} from "#app/domain/auth/sign-in-requests.server.ts";
import { paths } from "#app/paths.ts";
import { inSentence } from "#app/texts.ts";
import styles from "#app/ui/forms/form.module.css";
import { ErrorIdLine, FormError } from "#app/ui/forms/form-error.tsx";
import "#app/ui/theme/mantine.css";
import { openLink } from "#app/adapters/email-link.server.ts";
import { field, readForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { readBrowserHash } from "#app/web/request/browser-id.server.ts";
import { limitVerify } from "#app/web/request/limits.server.ts";
import { beginSession } from "#app/web/session/begin-session.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";
import { identifyBrowser } from "#app/web/session/identify-browser.server.ts";
import { readSessionTokenHash } from "#app/web/session/session-cookie.server.ts";

const REFUSED = `This link did not sign you in. It has been used, is older than ${SIGN_IN_LIFETIME}, or was disabled after too many wrong codes.`;

export const meta: MetaFunction = () => pageMeta({ title: "Sign in", robots: "noindex" });

/** Email scanners open every link, so a GET changes nothing. */
export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const browserHash = await readBrowserHash(request);
  const link = await openLink(token, ({ nonce }) => findLink(nonce, browserHash));
  const isOver = link === null || link.isUsed;
  const open = link === null && browserHash !== null ? await findOpenRequest(browserHash) : null;

  const found = {
    token,
    link,
    lifetime: SIGN_IN_LIFETIME,
    isSignedIn: viewer.user !== null,
    canTypeCode: open !== null,
    errorId: isOver ? logRefusal(request, "sign-in link") : null,
  };
  return data(found, { status: token === "" ? 400 : 200 });
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  await limitVerify(request);
  const form = await readForm(request);
  const isConfirmed = field(form, "confirm") === "yes";
  const { browser, setCookie } = await identifyBrowser(request);
  const oldTokenHash = await readSessionTokenHash(request);
  const result = await openLink(field(form, "token"), (link) =>
    signInByLink({ ...link, isConfirmed }, browser, oldTokenHash),
  );
  if (!result?.ok) {
    return data({ error: REFUSED, errorId: logRefusal(request, "sign-in link") }, { status: 422 });
  }

  return beginSession(request, { ...result, setBrowserCookie: setCookie });
}

export default function VerifyPage() {
  const { token, link, lifetime, isSignedIn, canTypeCode, errorId } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const shownErrorId = refused?.errorId ?? errorId ?? undefined;
  if (link === null) {
    return (
      <div className={styles.column}>
        <h1>This link does not work</h1>
        <p>
          It is incomplete, is older than {lifetime}, or was disabled after too many wrong codes.
          {canTypeCode
            ? " The same email has a code, which still works in this browser."
            : " If it is incomplete, copy the whole link from the email. Otherwise, ask for a new one."}
        </p>
        {canTypeCode && <TypeCode />}
        <ErrorIdLine id={shownErrorId} />
        {!canTypeCode && <RequestAnother />}
      </div>
    );
  }
  if (link.isUsed) {
    return (
      <div className={styles.column}>
        <h1>This link has already been used</h1>
        <UsedLink {...link} isSignedIn={isSignedIn} />
        <ErrorIdLine id={shownErrorId} />
      </div>
    );
  }
  const { request } = link;
  return (
    <div className={styles.column}>
      <h1>
        Sign in as <span className={styles.address}>{request.maskedEmail}</span>
      </h1>
      <FormError id="link-problem">{refused?.error}</FormError>
      <ErrorIdLine id={refused?.errorId} />
      {request.isSameBrowser ? (
        <p>Press the button to sign in with this browser. The link works once.</p>
      ) : (
        <p>
          This link was requested in another browser: <strong>{inSentence(request.device)}</strong>
          {request.network !== null && <> in the network {request.network}</>}. Continue only if that was you.
        </p>
      )}
      <Form method="post" action={paths.signInVerify()}>
        <input type="hidden" name="token" value={token} />
        {!request.isSameBrowser && <input type="hidden" name="confirm" value="yes" />}
        <Button type="submit">{request.isSameBrowser ? "Sign in" : "That was me, sign in here"}</Button>
      </Form>
    </div>
  );
}

type UsedLinkProps = Extract<MailedLink, { isUsed: true }> & { isSignedIn: boolean };

function UsedLink({ use, request, isSignedIn }: UsedLinkProps) {
  return (
    <>
      <p>
        It was used on <strong>{formatMinute(use.usedAt)}</strong> by{" "}
        <strong>{inSentence(use.device)}</strong>. Each link works once.
      </p>
      {isSignedIn && (
        <p>
          You are signed in here. <Link to={paths.account()}>Go to your account</Link>
        </p>
      )}
      {request !== null && (
        <p>
          If that was not you, a program that checks your email may have followed the link. The code in the
          same email still works,{" "}
          {request.isSameBrowser ? (
            "in this browser."
          ) : (
            <>where you asked for it: {inSentence(request.device)}.</>
          )}
        </p>
      )}
      {request?.isSameBrowser && <TypeCode />}
      {request === null && !isSignedIn && <RequestAnother />}
    </>
  );
}

function TypeCode() {
  return (
    <p>
      <Button component={Link} to={paths.signInCode()}>
        Type the code
      </Button>
    </p>
  );
}

function RequestAnother() {
  return (
    <p>
      <Button component={Link} to={paths.signIn()}>
        Ask for a new link
      </Button>
    </p>
  );
}
