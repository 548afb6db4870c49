import { z } from "zod";

/** Settings that have to be changed, with the reason or what to do. */
export type Problems = { [setting: string]: string };

export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(problems: Problems) {
    super(
      Object.entries(problems)
        .map(([setting, what]) => `Configuration: ${setting}: ${what}`)
        .join("\n"),
    );
  }
}

export type Given = { [setting: string]: string | undefined };

export function withoutEmpty(env: Given): Given {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
}

export function wrongValues(error: z.ZodError<Record<string, unknown>>): Problems {
  const { fieldErrors } = z.flattenError(error);
  return Object.fromEntries(
    Object.entries<string[] | undefined>(fieldErrors).map(([setting, found]) => [setting, found?.[0] ?? ""]),
  );
}

const QUOTED = /^(["'`]).*\1$/s;
const REPLACED = /\$[A-Za-z_{$]/;
/** People see what is missing in a text, and the database refuses a part of its password, which may have any character. */
const MAY_HAVE_A_DOLLAR = new Set([
  "SITE_NAME",
  "CONTACT_EMAIL",
  "OWNER_EMAIL",
  "MAIL_FROM",
  "BILLING_STATEMENT",
  "DATABASE_PASSWORD",
]);

/** A file that one program reads without quotes and blanks, another reads with them: the value must not depend on it. */
export function changedByItsFile(given: Given, settings: string[]): Problems {
  const problems: Problems = {};
  for (const setting of settings) {
    const value = given[setting] ?? "";
    if (QUOTED.test(value) && value.length > 1) {
      problems[setting] = "is in quotes, which docker run --env-file keeps: remove the quotes";
    } else if (/\s#/.test(value)) {
      problems[setting] =
        "has a # after a blank, which docker run --env-file does not take for a comment: remove it";
    } else if (/^[ \t]|[ \t]$/.test(value)) {
      problems[setting] = "begins or ends with a blank, which docker run --env-file keeps: remove the blank";
    } else if (REPLACED.test(value) && !MAY_HAVE_A_DOLLAR.has(setting)) {
      problems[setting] =
        "has a $ that Docker Compose replaces and others keep: write %24 in a URL, and any other value without it";
    }
  }
  return problems;
}

/** The owner's address is the contact until the studio has another. */
export function missingForHosting({ CONTACT_EMAIL, OWNER_EMAIL, SESSION_SECRET, SMTP_URL }: Given): Problems {
  return {
    ...(!CONTACT_EMAIL &&
      !OWNER_EMAIL && {
        CONTACT_EMAIL: "is required when APP_URL is set, or nobody knows where to write to",
      }),
    ...(!SESSION_SECRET && { SESSION_SECRET: "is required when APP_URL is set (openssl rand -hex 32)" }),
    ...(!SMTP_URL && { SMTP_URL: "is required when APP_URL is set, or nobody can sign in" }),
  };
}
