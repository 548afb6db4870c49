import { render } from "@react-email/render";
import { Letter, LetterButton } from "./letter.tsx";
import type { Mail } from "./outbox.server.ts";

interface SignInLetter {
  siteName: string;
  link: string;
  code: string;
  /** "Firefox on Windows". */
  device: string;
}

/** Says nothing of what the site shows: a preview of it may be read over a shoulder. */
export async function signInMail(to: string, letter: SignInLetter): Promise<Mail> {
  const element = <SignInLetterBody {...letter} />;
  const [html, text] = await Promise.all([render(element), render(element, { plainText: true })]);
  return { kind: "sign-in", to, subject: `Your sign-in link for ${letter.siteName}`, html, text };
}

function SignInLetterBody({ siteName, link, code, device }: SignInLetter) {
  return (
    <Letter siteName={siteName}>
      <p>Somebody asked to sign in with this address, using {device}. If it was you, follow the link:</p>
      <LetterButton href={link}>Sign in</LetterButton>
      <p>Or type this code where you asked:</p>
      <p style={{ fontSize: "24px", fontFamily: "monospace", letterSpacing: "3px" }}>{code}</p>
      <p>
        Both work once, for ten minutes. If it was not you, ignore this mail: nobody can sign in without it.
      </p>
    </Letter>
  );
}
