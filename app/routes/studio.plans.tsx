import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { z } from "zod";
import { addPrice, endPrice, listPrices } from "#app/domain/billing/offers/own-prices.server.ts";
import { MAX_NUMBER_TEXT, MAX_PLAN_NAME } from "#app/domain/billing/offers/price-texts.ts";
import {
  sellerOfOwnPrices,
  sellingProvider,
  sellsPrepaid,
} from "#app/domain/billing/providers/providers.server.ts";
import { formatTerms } from "#app/domain/billing/rules/format-money.ts";
import { paths } from "#app/paths.ts";
import { INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import { DoneStatus } from "#app/ui/forms/form-section.tsx";
import { PriceForm } from "#app/ui/studio/plans/price-form.tsx";
import { PriceList } from "#app/ui/studio/plans/price-list.tsx";
import styles from "#app/ui/studio/studio.module.css";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { checkForm } from "#app/web/forms/checked-form.server.ts";
import { readForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";

const DONE: Record<string, string> = {
  added: "The price is on sale.",
  ended: "The price has ended. Its subscribers keep it.",
};

const numberText = z.string().max(MAX_NUMBER_TEXT, { abort: true }).default("");

const planForm = z.object({
  intent: z.enum(["add", "end"], INCOMPLETE),
  price: z.string().max(255, { abort: true }).default(""),
  // Longer ones get the sentence of the rule.
  plan: z
    .string()
    .max(10 * MAX_PLAN_NAME, { abort: true })
    .default(""),
  amount: numberText,
  currency: numberText,
  days: numberText,
  firstDays: numberText,
  firstAmount: numberText,
});

export const meta: MetaFunction = () => pageMeta({ title: "Plans", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await requireStaff(request, "site");
  const prices = await listPrices();
  const isSelling = sellingProvider() !== null;
  const madeBy = sellerOfOwnPrices() === null ? "provider" : "owner";
  return {
    madeBy: isSelling ? (madeBy as keyof typeof ABOUT) : null,
    prices: prices.map(({ id, plan, isOnSale, subscribers, unfit, ...price }) => {
      return { id, plan, isOnSale, subscribers, unfit, terms: formatTerms(price) };
    }),
    isPrepaid: sellsPrepaid(),
    done: DONE[new URL(request.url).searchParams.get("done") ?? ""],
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireStaff(request, "site");
  const checked = checkForm(await readForm(request), planForm);
  if (!checked.ok) {
    const errorId = logRefusal(request, "price: form");
    return data({ form: checked.refused(), ending: null, errorId }, { status: 422 });
  }
  const { intent, price, ...texts } = checked.value;
  if (intent === "end") {
    const ended = await endPrice(actorOf(member), price);
    if ("ended" in ended) return redirect(paths.studioPlans({ done: "ended" }), 303);
    const errorId = logRefusal(request, "price: not ended");
    return data({ form: undefined, ending: ended.error, errorId }, { status: 422 });
  }
  const added = await addPrice(actorOf(member), texts);
  if ("added" in added) return redirect(paths.studioPlans({ done: "added" }), 303);
  const { form, ...errors } = added.errors;
  const errorId = logRefusal(request, "price: not added");
  const refused = checked.refused(form === undefined ? errors : { "": form });
  return data({ form: refused, ending: null, errorId }, { status: 422 });
}

const ABOUT = {
  owner:
    "What a subscription costs. A price never changes: end it and add another. Its subscribers keep the price that they have agreed to.",
  provider:
    "The payment provider has the plans and prices. Change them there; they appear here within a minute.",
};

export default function PlansPage() {
  const { prices, madeBy, isPrepaid, done } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { key } = useLocation();
  const isOwner = madeBy === "owner";
  return (
    <StudioFrame
      title="Plans"
      about={madeBy ? ABOUT[madeBy] : "No payment provider is set up on the server, so nobody can subscribe."}
    >
      <DoneStatus done={refused === undefined ? done : undefined} />
      <section aria-labelledby="prices-title" className={styles.section}>
        <h2 id="prices-title">Prices</h2>
        <PriceList prices={prices} error={refused?.ending ?? undefined} mayEnd={isOwner} />
      </section>
      {isOwner && (
        <section aria-labelledby="add-title" className={`${styles.section} ${styles.narrow}`}>
          <h2 id="add-title">Add a price</h2>
          {/* Empty again once a price is added. */}
          <PriceForm
            key={done && refused === undefined ? key : "opened"}
            isPrepaid={isPrepaid}
            refused={refused?.form}
            errorId={refused?.form && refused.errorId}
          />
        </section>
      )}
    </StudioFrame>
  );
}
