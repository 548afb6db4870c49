import { z } from "zod";
import { ITEM_LIMITS, normalizeLines, normalizeName, textError } from "#app/domain/media/item-texts.ts";
import { quoted } from "#app/texts.ts";
import type { CreatorLink } from "#db/schema/catalog.ts";
import { namesOf } from "../item/sections.ts";
import { anyText, problem, textField } from "../item/text-fields.ts";

/** Characters, or entries of a list. docs/limits.md lists them. */
export const CREATOR_LIMITS = {
  name: ITEM_LIMITS.name,
  slug: 80,
  bio: ITEM_LIMITS.description,
  aliases: 50,
  links: 20,
  linkLabel: 60,
  url: 500,
  portraitAlt: ITEM_LIMITS.alt,
} as const;

const name = textField("The name", CREATOR_LIMITS.name, { ifEmpty: "Please enter a name." });

/** The fields of a creator and of a tag, with their limits. */
export const NAME_VALUES = {
  creator: z.object({
    name,
    slug: anyText
      .overwrite((slug) => normalizeName(slug).toLowerCase())
      .superRefine(
        problem((slug) => (slug.length <= CREATOR_LIMITS.slug && SLUG.test(slug) ? null : WRONG_SLUG)),
      ),
    aliases: z.array(anyText).overwrite(namesOf).superRefine(problem(aliasesProblem)),
    bio: textField("The biography", CREATOR_LIMITS.bio, { normalize: normalizeLines, mayBeEmpty: true }),
    links: z
      .array(z.object({ label: anyText, url: anyText }))
      .overwrite(filledLinks)
      .superRefine(problem(linksProblem)),
    portraitAlt: textField("The text", CREATOR_LIMITS.portraitAlt, { mayBeEmpty: true }),
  }),
  tag: z.object({ name }),
};

export type NameValues = { [Kind in keyof typeof NAME_VALUES]: z.output<(typeof NAME_VALUES)[Kind]> };

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const WRONG_SLUG = `The address can have up to ${CREATOR_LIMITS.slug} characters: letters from a to z, digits, and single dashes between them.`;

function aliasesProblem(aliases: string[]): string | null {
  if (aliases.length > CREATOR_LIMITS.aliases) {
    return `A creator can have up to ${CREATOR_LIMITS.aliases} other names.`;
  }
  return firstOf(aliases, (alias) => textError(quoted(alias), alias, CREATOR_LIMITS.name));
}

function filledLinks(links: CreatorLink[]): CreatorLink[] {
  return links
    .map(({ label, url }) => ({ label: normalizeName(label), url: normalizeName(url) }))
    .filter(({ label, url }) => label !== "" || url !== "");
}

function linksProblem(links: CreatorLink[]): string | null {
  if (links.length > CREATOR_LIMITS.links) return `A creator can have up to ${CREATOR_LIMITS.links} links.`;
  return firstOf(links, ({ label, url }, index) => {
    const wrong =
      textError(`The label of link ${index + 1}`, label, CREATOR_LIMITS.linkLabel) ??
      (url === "" ? null : textError(`The address of ${quoted(label)}`, url, CREATOR_LIMITS.url));
    if (wrong !== null || isWebAddress(url)) return wrong;
    return `The address of ${quoted(label)} must begin with https:// or http://, and name a site.`;
  });
}

function isWebAddress(url: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(url) || !URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  // A name before the host makes an address look like another site's.
  return (
    (protocol === "https:" || protocol === "http:") && hostname !== "" && `${username}${password}` === ""
  );
}

function firstOf<Entry>(entries: Entry[], find: (entry: Entry, index: number) => string | null) {
  return entries.map(find).find((wrong) => wrong !== null) ?? null;
}
