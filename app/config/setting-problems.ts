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

/** `docker run --env-file` keeps quotes, which Compose and Node.js remove. */
export function quotedValues(given: Given, settings: string[]): Problems {
  const quoted = settings.filter((setting) => QUOTED.test(given[setting] ?? ""));
  return Object.fromEntries(quoted.map((setting) => [setting, "is in quotes: remove the quotes"]));
}

/** An owner can set the contact address in the studio. */
export function missingForHosting({ CONTACT_EMAIL, OWNER_EMAIL, SESSION_SECRET, SMTP_URL }: Given): Problems {
  return {
    ...(!CONTACT_EMAIL &&
      !OWNER_EMAIL && {
        CONTACT_EMAIL: "is required when APP_URL is set, so that people can write to you",
      }),
    ...(!SESSION_SECRET && { SESSION_SECRET: "is required when APP_URL is set (openssl rand -hex 32)" }),
    ...(!SMTP_URL && { SMTP_URL: "is required when APP_URL is set, because nobody can sign in without it" }),
  };
}
