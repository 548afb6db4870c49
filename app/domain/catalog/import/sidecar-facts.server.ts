import { EXAMPLE_TIMES, parseClockTime } from "#app/clock-times.ts";
import { fromZoneTime } from "#app/dates.ts";
import { shootIdOf } from "#app/domain/media/import/content-id.server.ts";
import type { Sidecar } from "#app/domain/media/import/sidecar.ts";
import type { Executor } from "#db/client.server.ts";
import {
  errorsOf,
  normalized,
  photoIdOf,
  type SectionName,
  type SectionValues,
} from "../edit/item/sections.ts";
import { storedNames } from "../media/names.server.ts";

type FactSection = Exclude<SectionName, "photos">;

/** The fields of the studio's sections, and the publication date in ISO 8601. */
export type Facts = SectionValues["text"] &
  SectionValues["credits"] &
  SectionValues["tags"] &
  SectionValues["dates"] &
  SectionValues["access"] &
  SectionValues["shoot"] &
  SectionValues["chapters"] & { publishAt: string | null };

export type PhotoFacts = SectionValues["photos"];

/** The message is one line that begins with the key. */
export class FactsError extends Error {}

/** In the order of writing, which decides the order of locks: first names, then counts. */
const FACT_SECTIONS = {
  tags: ["tags"],
  credits: ["creators"],
  dates: ["producedOn", "expireAt"],
  text: ["title", "description"],
  access: ["access", "allowDownload"],
  shoot: ["shoot"],
  chapters: ["chapters"],
} as const satisfies { [Name in FactSection]: readonly (keyof SectionValues[Name])[] };

export const SECTION_ORDER = Object.keys(FACT_SECTIONS) as FactSection[];

const KEYS: Record<keyof Facts, keyof Sidecar> = {
  title: "title",
  description: "description",
  creators: "creators",
  tags: "tags",
  producedOn: "produced",
  publishAt: "date",
  expireAt: "expires",
  access: "access",
  allowDownload: "download",
  shoot: "shoot",
  chapters: "chapters",
};

/** In the sidecar; for a photo's field, with its file name. */
export function keyOf(field: string, photoNames: ReadonlyMap<string, string> = new Map()): string {
  const photoId = photoIdOf(field);
  if (photoId === null) return KEYS[field as keyof Facts] ?? field;
  return `${field.startsWith("alt-") ? "alt" : "preview"} of ${photoNames.get(photoId) ?? "a photo"}`;
}

/** Throws a FactsError. */
export function sidecarFacts(sidecar: Sidecar, zone: string): Partial<Facts> {
  const { title, description, creators, tags, produced, date, expires, access, download, shoot, chapters } =
    sidecar;
  return withoutUndefined({
    title,
    description,
    creators,
    tags,
    producedOn: unlessEmpty(produced, (day) => day),
    publishAt: unlessEmpty(date, (text) => momentOf("date", text, zone)),
    expireAt: unlessEmpty(expires, (text) => momentOf("expires", text, zone)),
    access,
    allowDownload: download,
    shoot: unlessEmpty(shoot, shootIdOf),
    chapters: chapters?.map(({ at, title: chapter }) => {
      const atSeconds = parseClockTime(at);
      if (atSeconds === null) throw new FactsError(`chapters: ${at} is not a time such as ${EXAMPLE_TIMES}`);
      return { atSeconds, title: chapter };
    }),
  });
}

/** `ids` and file `names` are in the same order. Throws a FactsError. */
export function sidecarPhotoFacts(sidecar: Sidecar, names: string[], ids: string[]): PhotoFacts {
  const facts: PhotoFacts = {};
  for (const { file, alt, preview } of sidecar.photos ?? []) {
    const index = names.findIndex((name) => name.normalize("NFC") === file);
    if (index < 0) throw new FactsError(`photos: this folder has no picture ${file}`);
    if (alt !== undefined) facts[`alt-${ids[index]}`] = alt;
    if (preview !== undefined) facts[`isPreview-${ids[index]}`] = preview;
  }
  const values = normalized("photos", facts);
  const [problem] = Object.values(errorsOf("photos", values, null));
  if (problem !== undefined) throw new FactsError(`photos: ${problem}`);
  return values;
}

export function normalizedFacts(facts: Facts): Facts {
  const { publishAt } = facts;
  return Object.assign(
    { publishAt },
    ...SECTION_ORDER.map((name) => normalized(name, sectionOf(name, facts))),
  );
}

/** Replaces aliases of creators by their names, and spells tags as they are stored. */
export async function withKnownNames<Some extends Partial<Facts>>(
  executor: Executor,
  facts: Some,
): Promise<Some> {
  const { creators, tags } = facts;
  return {
    ...facts,
    ...(creators && { creators: await storedNames("creator", creators, executor) }),
    ...(tags && { tags: await storedNames("tag", tags, executor) }),
  };
}

/** Expects normalized facts. Throws a FactsError about one of `fields`. */
export function requireValidFacts(
  facts: Facts,
  fields: readonly string[],
  { durationSeconds, today }: { durationSeconds: number | null; today: string },
): void {
  const publishAt = facts.publishAt === null ? null : new Date(facts.publishAt);
  for (const name of SECTION_ORDER) {
    const errors = errorsOf(name, sectionOf(name, facts), { durationSeconds, publishAt, today });
    for (const [field, sentence] of Object.entries(errors)) {
      const isGiven = fields.includes(field) || (field === "expireAt" && fields.includes("publishAt"));
      if (isGiven) throw new FactsError(`${keyOf(field)}: ${sentence}`);
    }
  }
}

export function sectionOf<Name extends FactSection>(name: Name, facts: Partial<Facts>): SectionValues[Name] {
  const fields: readonly (keyof Facts)[] = FACT_SECTIONS[name];
  return Object.fromEntries(
    fields.flatMap((field) => (field in facts ? [[field, facts[field]]] : [])),
  ) as unknown as SectionValues[Name];
}

/** An absent key leaves its field as it is, and an empty text removes the value. */
function unlessEmpty(text: string | undefined, read: (text: string) => string): string | null | undefined {
  if (text === undefined) return undefined;
  return text === "" ? null : read(text);
}

/** Without an offset, a moment is in the site's time zone. */
function momentOf(key: string, text: string, zone: string): string {
  const [day = "", time = "00:00"] = text.split(/[T ]/);
  const hasOffset = /(?:Z|[+-]\d\d:\d\d)$/.test(time);
  const moment = hasOffset ? new Date(`${day}T${time}`) : fromZoneTime(`${day}T${time}`, zone);
  if (moment === null || Number.isNaN(moment.getTime()))
    throw new FactsError(`${key}: ${text} is not a valid time`);
  return moment.toISOString();
}

function withoutUndefined<Values extends object>(values: Values) {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Facts>;
}
