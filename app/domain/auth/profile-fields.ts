import { z } from "zod";
import { hasVisibleCharacter, TURNS_DIRECTION, withoutIsolates } from "#app/texts.ts";
import { isCountry } from "./countries.ts";

export const PROFILE_LIMITS = {
  full_name: 100,
  line1: 100,
  line2: 100,
  city: 80,
  region: 80,
  postalCode: 20,
  country: 2,
} as const;

const NOTHING_VISIBLE =
  "This contains only invisible characters. Please use at least one letter, digit or symbol, or leave it empty.";
const NOT_IN_LIST = "Please choose a country from the list.";
const CONTROL_CHARACTER = /\p{Cc}/u;

export const profileForm = z.strictObject({
  full_name: line(PROFILE_LIMITS.full_name),
  line1: line(PROFILE_LIMITS.line1),
  line2: line(PROFILE_LIMITS.line2),
  city: line(PROFILE_LIMITS.city),
  region: line(PROFILE_LIMITS.region),
  postalCode: line(PROFILE_LIMITS.postalCode),
  country: z
    .string("Please choose a country.")
    .max(PROFILE_LIMITS.country, { error: NOT_IN_LIST, abort: true })
    .toUpperCase()
    .refine((code) => code === "" || isCountry(code), NOT_IN_LIST),
});

type ProfileValues = z.output<typeof profileForm>;

interface StoredProfile {
  full_name: string | null;
  billing_address: Partial<Omit<ProfileValues, "full_name">> | null;
}

export function profileValues({ full_name, billing_address }: StoredProfile): ProfileValues {
  const empty = { line1: "", line2: "", city: "", region: "", postalCode: "", country: "" };
  return { full_name: full_name ?? "", ...empty, ...billing_address };
}

function line(longest: number) {
  return z
    .string("Please fill this in, or leave it empty.")
    .max(longest, { error: `Please use at most ${longest} characters.`, abort: true })
    .overwrite(withoutIsolates)
    .refine(
      (text) => !CONTROL_CHARACTER.test(text) && !TURNS_DIRECTION.test(text),
      "Please use letters, digits and symbols only.",
    )
    .refine((text) => text === "" || hasVisibleCharacter(text), NOTHING_VISIBLE);
}
