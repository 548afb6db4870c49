import { timeZoneProblem } from "#app/config/settings.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";

/**
 * The time zone that the form's times were shown in, from its field "timeZone": the site's own may have changed since then.
 * The site's without such a field.
 */
export function shownZone(form: FormData | URLSearchParams): string {
  const zone = form.get("timeZone");
  return typeof zone === "string" && zone !== "" && timeZoneProblem(zone) === null
    ? zone
    : siteFacts.timeZone;
}
