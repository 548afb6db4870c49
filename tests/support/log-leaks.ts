import postgres from "postgres";

/** Shorter names may be words that every log contains. */
const MIN_NAME_LENGTH = 8;
/** The start of a demo prints these lines on purpose: its people, and the addresses with the keys of its outbox and payments. */
const PRINTED_BY_A_DEMO =
  /^(Demo accounts: .*|Sign-in emails appear at .*|A stand-in for [\w ]+ simulates payments at .*)$/gm;
/** The host's own address is public, and tests set it. */
const CONTACT = /\bcontact@[\w.-]+\.\w+/gi;

const SHAPES: Record<string, RegExp> = {
  "an email address": /[\w.+-]+(?:@|%40)[\w-]+\.[a-z]{2,}/i,
  "a password in an address": /\b[a-z]+:\/\/[^\s/:@]*:[^\s/@]+@/i,
  "a key of the payment provider": /\b(?:[sr]k_(?:test|live)|whsec)_\w+/,
  "a cookie": /\b(?:session|adult|browser)=[\w%.-]{8}/,
  "a token in an address": /[?&](?:token|signature|code|q)=[^\s"&]/,
  "an authorization": /\b(?:Bearer|Basic) [\w+/=-]{8}/,
};

/**
 * Fails when the output of a site or worker has something secret or personal: what has its shape, the secrets given,
 * and what the database holds of people, titles and sign-in emails.
 */
export async function assertNoLeaks(
  output: string,
  { databaseUrl, secrets = [] }: { databaseUrl?: string; secrets?: string[] } = {},
): Promise<void> {
  const searched = output.replaceAll(PRINTED_BY_A_DEMO, "").replaceAll(CONTACT, "");
  if (searched.trim() === "") return;
  const values = databaseUrl === undefined ? [] : await valuesOf(databaseUrl);
  const lines = searched.split("\n").filter((line) => isLeak(line, [...secrets, ...values]));
  if (lines.length > 0) throw new Error(`The log tells what it must not:\n${lines.slice(0, 5).join("\n")}`);
}

function isLeak(line: string, values: string[]): boolean {
  return (
    Object.values(SHAPES).some((shape) => shape.test(line)) || values.some((value) => line.includes(value))
  );
}

/** Empty where the database is gone, or has no tables of the site. */
async function valuesOf(databaseUrl: string): Promise<string[]> {
  const sql = postgres(databaseUrl, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    const rows = await sql<{ value: string }[]>`
      SELECT title AS value FROM media UNION SELECT name FROM creators
      UNION SELECT email FROM users UNION SELECT full_name FROM users WHERE full_name IS NOT NULL
      UNION SELECT unnest(regexp_matches(text, '^[0-9A-Z]{8}$', 'n')) FROM mail_outbox WHERE kind = 'sign-in'
      UNION SELECT unnest(regexp_matches(text, 'token=([[:alnum:]_.%-]+)')) FROM mail_outbox WHERE kind = 'sign-in'`;
    return rows.map(({ value }) => value).filter((value) => value.length >= MIN_NAME_LENGTH);
  } catch {
    return [];
  } finally {
    await sql.end({ timeout: 5 });
  }
}
