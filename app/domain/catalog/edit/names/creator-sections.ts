import { ITEM_LIMITS, normalizeLines, normalizeName, textProblem } from "#app/domain/media/item-texts.ts";
import { quoted } from "#app/texts.ts";
import type { CreatorLink } from "#db/schema/catalog.ts";
import { namesOf } from "../item/sections.ts";
import type { FieldErrors } from "../item/text-fields.ts";

/** The fields of each form of a creator's page, by which two editors are compared. */
export interface CreatorValues {
  text: { name: string; slug: string; bio: string };
  aliases: { aliases: string[] };
  links: { links: CreatorLink[] };
  portrait: { portraitAlt: string };
}

export type CreatorSection = keyof CreatorValues;
export const CREATOR_SECTIONS = ["text", "aliases", "links", "portrait"] as const;

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

type Normalize = { [Name in CreatorSection]: (values: CreatorValues[Name]) => CreatorValues[Name] };
type Check = { [Name in CreatorSection]: (values: CreatorValues[Name]) => FieldErrors };

/** Values that mean the same are equal afterwards. */
export function normalizedCreator<Name extends CreatorSection>(name: Name, values: CreatorValues[Name]) {
  return NORMALIZE[name](values);
}

/** Expects normalized values. */
export function creatorErrors<Name extends CreatorSection>(
  name: Name,
  values: CreatorValues[Name],
): FieldErrors {
  return CHECK[name](values);
}

export function nameError(name: string): FieldErrors {
  return textError("name", "The name", name, ITEM_LIMITS.name);
}

const NORMALIZE: Normalize = {
  text: ({ name, slug, bio }) => ({
    name: normalizeName(name),
    slug: normalizeName(slug).toLowerCase(),
    bio: normalizeLines(bio),
  }),
  aliases: ({ aliases }) => ({ aliases: namesOf(aliases) }),
  links: ({ links }) => ({
    links: links
      .map(({ label, url }) => ({ label: normalizeName(label), url: normalizeName(url) }))
      .filter(({ label, url }) => label !== "" || url !== ""),
  }),
  portrait: ({ portraitAlt }) => ({ portraitAlt: normalizeName(portraitAlt) }),
};

const CHECK: Check = {
  text: ({ name, slug, bio }) => ({
    ...nameError(name),
    ...slugError(slug),
    ...textError("bio", "The biography", bio, CREATOR_LIMITS.bio, true),
  }),
  aliases: ({ aliases }) => {
    if (aliases.length > CREATOR_LIMITS.aliases) {
      return { aliases: `A creator can have up to ${CREATOR_LIMITS.aliases} other names.` };
    }
    return firstOf(aliases.map((alias) => textError("aliases", quoted(alias), alias, CREATOR_LIMITS.name)));
  },
  links: ({ links }) => {
    if (links.length > CREATOR_LIMITS.links) {
      return { links: `A creator can have up to ${CREATOR_LIMITS.links} links.` };
    }
    return Object.assign({}, ...links.map(linkError));
  },
  portrait: ({ portraitAlt }) =>
    textError("portraitAlt", "The text", portraitAlt, CREATOR_LIMITS.portraitAlt, true),
};

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

function slugError(slug: string): FieldErrors {
  if (slug.length <= CREATOR_LIMITS.slug && SLUG.test(slug)) return {};
  return {
    slug: `The address can have up to ${CREATOR_LIMITS.slug} characters: letters from a to z, digits, and single dashes between them.`,
  };
}

/** Under "links-<index>". */
function linkError({ label, url }: CreatorLink, index: number): FieldErrors {
  const field = `links-${index}`;
  const wrong = {
    ...textError(field, "The address", url, CREATOR_LIMITS.url, true),
    ...textError(field, "The label", label, CREATOR_LIMITS.linkLabel),
  };
  if (field in wrong) return wrong;
  return isWebAddress(url)
    ? {}
    : { [field]: `The address of ${quoted(label)} must begin with https:// or http://, and name a site.` };
}

function isWebAddress(url: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(url) || !URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  // A name before the host makes an address look like another site's.
  return (
    (protocol === "https:" || protocol === "http:") && hostname !== "" && `${username}${password}` === ""
  );
}

function firstOf(found: FieldErrors[]): FieldErrors {
  return found.find((errors) => Object.keys(errors).length > 0) ?? {};
}

function textError(
  field: string,
  label: string,
  text: string,
  longest: number,
  mayBeEmpty = false,
): FieldErrors {
  if (text === "" && mayBeEmpty) return {};
  const problem = textProblem(label, text, longest);
  return problem === null ? {} : { [field]: problem };
}
