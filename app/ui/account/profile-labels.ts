export const PROFILE_FORM_ID = "profile-form";

/** In the order of the form. */
export const PROFILE_LABELS = {
  full_name: "Name",
  line1: "Street and number",
  line2: "Apartment, floor or company",
  postalCode: "Postal code",
  city: "City",
  region: "State or region",
  country: "Country",
} as const;

export type ProfileField = keyof typeof PROFILE_LABELS;
