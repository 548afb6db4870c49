import { timeZoneProblem } from "#app/config/settings.ts";
import { anyText } from "#app/domain/catalog/edit/item/text-fields.ts";
import { siteFacts } from "../pages/site-facts.server.ts";
import { NOT_THIS_FORM } from "./checked-form.server.ts";

/** The zone in which a form showed its times: the site's may have changed since. */
export const zoneField = anyText.refine((zone) => timeZoneProblem(zone) === null, NOT_THIS_FORM);

/** The site's zone for a form without the field. */
export function shownZone(form: FormData | URLSearchParams): string {
  return zoneField.safeParse(form.get("timeZone")).data ?? siteFacts.timeZone;
}
