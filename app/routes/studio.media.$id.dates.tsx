import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { fromZoneTime, toZoneTime } from "#app/dates.ts";
import { mayChangeExpiry, savePart } from "#app/domain/catalog/edit/item/save-part.server.ts";
import { anyText } from "#app/domain/catalog/edit/item/text-fields.ts";
import { FIELD_TEXTS } from "#app/ui/studio/field-texts.ts";
import { DatesPart } from "#app/ui/studio/item/dates-part.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { zoneField } from "#app/web/forms/shown-zone.server.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { findItem, nextPage, openPart } from "#app/web/studio/item-part.server.ts";
import { answerPart } from "#app/web/studio/part-form.server.ts";

export { keepTyped as shouldRevalidate };

const datesForm = z.object({
  producedOn: anyText,
  /** "2026-11-27T20:00" in the zone in which the form showed it: the site's may have changed since. */
  expireAt: anyText.optional(),
  timeZone: zoneField,
  /** The stored moment. When clocks go back, two moments have the same text. */
  expiredAt: anyText,
});

export async function loader({ request, params }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const { timeZone } = siteFacts;
  return openPart(request, params.id ?? "", "dates", {
    find: findItem,
    page: ({ producedOn, expireAt }, { item }) => ({
      values: {
        producedOn: producedOn ?? "",
        expireAt: expireAt === null ? "" : toZoneTime(new Date(expireAt), timeZone),
        timeZone,
        expiredAt: expireAt ?? "",
      },
      mayChangeExpiry: mayChangeExpiry(actorOf(member), item.state),
    }),
  });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const id = params.id ?? "";
  return answerPart(request, member, {
    name: "item: dates",
    schema: datesForm,
    save: async ({ producedOn, expireAt, ...opened }, version) => {
      const actor = actorOf(member);
      if (expireAt === undefined) return savePart(actor, id, "dates", version, { producedOn });
      const moment = momentIn(expireAt, opened);
      if (moment === undefined) {
        const sentence = "Please enter a date and a time, such as 27 November 2026, 20:00.";
        return { saved: false, errors: { expireAt: sentence } };
      }
      return savePart(actor, id, "dates", version, { producedOn, expireAt: moment });
    },
    texts: FIELD_TEXTS,
    saved: "The dates are saved.",
    goTo: (isNext) => nextPage(id, "dates", isNext),
  });
}

/** Undefined when it is none. */
function momentIn(expireAt: string, { timeZone, expiredAt }: { timeZone: string; expiredAt: string }) {
  if (expireAt === "") return null;
  const opened = new Date(expiredAt);
  const isUnchanged = !Number.isNaN(opened.getTime()) && toZoneTime(opened, timeZone) === expireAt;
  return isUnchanged ? expiredAt : fromZoneTime(expireAt, timeZone)?.toISOString();
}

export default function ItemDatesPage() {
  return <DatesPart {...useLoaderData<typeof loader>()} />;
}
