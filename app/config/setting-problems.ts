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

export function missingForHosting({ APP_URL, CONTACT_EMAIL, SESSION_SECRET, SMTP_URL }: Given): Problems {
  return {
    ...(!APP_URL?.startsWith("https:") && {
      APP_URL: "must begin with https://, or nobody can stay signed in",
    }),
    ...(!CONTACT_EMAIL && {
      CONTACT_EMAIL: "is required when APP_URL is set, or nobody knows where to write to",
    }),
    ...(!SESSION_SECRET && { SESSION_SECRET: "is required when APP_URL is set (openssl rand -hex 32)" }),
    ...(!SMTP_URL && { SMTP_URL: "is required when APP_URL is set, or nobody can sign in" }),
  };
}
