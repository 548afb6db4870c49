import { timeZoneProblem } from "#app/config/settings.ts";
import { siteFacts } from "../pages/site-facts.server.ts";

/** The zone in which the form showed its times: the site's may have changed since. */
export function shownZone(form: FormData | URLSearchParams): string {
  const zone = form.get("timeZone");
  return typeof zone === "string" && zone !== "" && timeZoneProblem(zone) === null
    ? zone
    : siteFacts.timeZone;
}
