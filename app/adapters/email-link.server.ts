// Needed because remix-auth-email-link trusts a request's host and signs in as often as its link is opened: decision 020.

import { createSessionStorage } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { EmailLinkStrategy } from "remix-auth-email-link";
import { config } from "#app/config.server.ts";
import { newSecret } from "#app/domain/auth/secrets.server.ts";
import { isSignatureOf, signText, textKeysFor } from "#app/domain/keys/keys.server.ts";
import { paths } from "#app/paths.ts";

const STRATEGY = "email-link";
const MAX_TOKEN_LENGTH = 2048;
/** A signature, and what the package has encrypted; what follows, such as a full stop, is not part of it. */
const TOKEN = /^([\w-]{43})([\w-]+)/;
const [key, ...olderKeys] = textKeysFor("email-link");

export interface OpenedLink {
  email: string;
  nonce: string;
}

/** The strategy gets a request of ours, and only its token is kept. */
export async function requestLink(
  email: string,
  send: (made: { nonce: string; link: string }) => Promise<void>,
): Promise<void> {
  const nonce = newSecret();
  const strategy = authenticator(
    key,
    async (magicLink) => send({ nonce, link: linkFrom(magicLink) }),
    async (opened) => opened,
  );
  const request = new Request(new URL(paths.signIn(), config.origin), {
    method: "POST",
    headers: { "X-Forwarded-Host": new URL(config.origin).host },
    body: new URLSearchParams({ email, nonce }),
  });
  try {
    await strategy.authenticate(STRATEGY, request, {
      successRedirect: paths.signInCode(),
      throwOnError: true,
    });
  } catch (outcome) {
    // The strategy reports success by throwing a redirect.
    if (!(outcome instanceof Response)) throw outcome;
  }
}

/** Null when the token is not ours. */
export async function openLink<Result>(
  token: string,
  verify: (opened: OpenedLink) => Promise<Result>,
): Promise<Result | null> {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  const [, signature = "", encrypted = ""] = TOKEN.exec(token) ?? [];
  // The package reports each token that it cannot read as an error, with a stack.
  if (!isSignatureOf("email-link", encrypted, signature)) return null;
  const own = Buffer.from(encrypted, "base64url").toString("base64");
  for (const one of [key, ...olderKeys]) {
    const result = await openLinkWith(one, own, verify);
    if (result !== null) return result;
  }
  return null;
}

async function openLinkWith<Result>(
  secret: string,
  token: string,
  verify: (opened: OpenedLink) => Promise<Result>,
): Promise<Result | null> {
  let result: Result | null = null;
  let failure: unknown = null;
  const strategy = authenticator(
    secret,
    async () => {},
    async (opened) => {
      try {
        result = await verify(opened);
      } catch (error) {
        failure = error;
      }
      return opened;
    },
  );
  const request = new Request(new URL(paths.signInVerify({ token }), config.origin));
  try {
    await strategy.authenticate(STRATEGY, request, { throwOnError: true });
  } catch {
    return null;
  }
  if (failure !== null) throw failure;
  return result;
}

/** One for each request, so that visitors share no state. */
function authenticator(
  secret: string,
  send: (magicLink: string) => Promise<void>,
  verify: (opened: OpenedLink) => Promise<OpenedLink>,
): Authenticator<OpenedLink> {
  const strategy = new EmailLinkStrategy<OpenedLink>(
    {
      secret,
      callbackURL: paths.signInVerify(),
      sendEmail: ({ magicLink }) => send(magicLink),
      // The row decides on age, single use and browser.
      linkExpirationTime: Number.MAX_SAFE_INTEGER,
    },
    async ({ email, form, magicLinkVerify }) => {
      const nonce = form.get("nonce");
      if (typeof nonce !== "string") throw new Error("The link is incomplete");
      return magicLinkVerify ? verify({ email, nonce }) : { email, nonce };
    },
  );
  return new Authenticator<OpenedLink>(nowhere).use(strategy);
}

/** Letters, digits, "-" and "_" only: programs that check email decode a link once, and "+" would become a blank. */
function linkFrom(magicLink: string): string {
  const own = new URL(magicLink).searchParams.get("token") ?? "";
  const encrypted = Buffer.from(own, "base64").toString("base64url");
  const token = signText("email-link", encrypted) + encrypted;
  return new URL(paths.signInVerify({ token }), config.origin).href;
}

/** The package requires a session, and ours begins only after the sign-in. */
const nowhere = createSessionStorage({
  cookie: { name: "unused", secrets: [newSecret()] },
  createData: async () => "",
  readData: async () => null,
  updateData: async () => {},
  deleteData: async () => {},
});
