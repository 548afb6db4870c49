import { createSessionStorage } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { EmailLinkStrategy } from "remix-auth-email-link";
import { config } from "#app/config.server.ts";
import { newSecret } from "#app/domain/auth/secrets.server.ts";
import { paths } from "#app/paths.ts";

const STRATEGY = "email-link";
const MAX_TOKEN_LENGTH = 2048;

export interface OpenedLink {
  email: string;
  /** 256 random bits; signin_tokens knows its hash. */
  nonce: string;
}

/**
 * Has the strategy make a link for `email` and hands it to `send`. The strategy sees a request of our own making, and
 * only the token of its link is kept: neither its host nor its encryption is trusted with anything.
 */
export async function askForLink(
  email: string,
  send: (made: { nonce: string; link: string }) => Promise<void>,
): Promise<void> {
  const nonce = newSecret();
  const strategy = authenticator(
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

/** Reads a link's token and gives what it holds to `verify`. Null when it is not one of ours. */
export async function openLink<Result>(
  token: string,
  verify: (opened: OpenedLink) => Promise<Result>,
): Promise<Result | null> {
  if (token === "" || token.length > MAX_TOKEN_LENGTH) return null;
  let result: Result | null = null;
  let failure: unknown = null;
  const strategy = authenticator(
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

/** One for each request, so that nothing of one visitor is in reach of another. */
function authenticator(
  send: (magicLink: string) => Promise<void>,
  verify: (opened: OpenedLink) => Promise<OpenedLink>,
): Authenticator<OpenedLink> {
  const strategy = new EmailLinkStrategy<OpenedLink>(
    {
      secret: config.session.secret,
      callbackURL: paths.signInVerify(),
      sendEmail: ({ magicLink }) => send(magicLink),
      // Age, single use and browser are the row's to decide, by the database's clock.
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

function linkFrom(magicLink: string): string {
  const token = new URL(magicLink).searchParams.get("token") ?? "";
  return new URL(paths.signInVerify({ token }), config.origin).href;
}

/** The package wants a session; ours begins only after the sign-in, so it gets one that is never kept. */
const nowhere = createSessionStorage({
  cookie: { name: "unused", secrets: [config.session.secret] },
  createData: async () => "",
  readData: async () => null,
  updateData: async () => {},
  deleteData: async () => {},
});
