import { readOptions, runCommand, UsageError } from "./command/run-command.ts";
import { withSite } from "./command/with-site.ts";

const TEXT = { type: "string" } as const;
const ACTOR = { id: null, name: "billing:price", role: "owner" } as const;

/** Of the refusals of a field. */
const OPTIONS: Record<string, string> = {
  plan: "--plan: ",
  amount: "--amount: ",
  currency: "--currency: ",
  days: "--days: ",
  firstDays: "--first-days: ",
  firstAmount: "--first-amount: ",
};

const takes =
  '-- --plan "Membership" --amount 9.99 --currency USD --days 30 [--first-days 3 --first-amount 2.95] | --list | --end <id>';
await runCommand({ name: "billing:price", takes }, async () => {
  const { values, positionals } = readOptions({
    plan: TEXT,
    amount: TEXT,
    currency: TEXT,
    days: TEXT,
    "first-days": TEXT,
    "first-amount": TEXT,
    list: { type: "boolean" },
    end: TEXT,
  });
  const { list, end, plan, amount, currency, days, ...first } = values;
  const isAlone = Object.keys(values).length === 1 && positionals.length === 0;
  if (list !== undefined && isAlone) return withSite({}, listAll);
  if (end !== undefined && isAlone) return withSite({}, () => endOne(end));
  if (list !== undefined || end !== undefined || positionals.length > 0) throw new UsageError();
  if (plan === undefined || amount === undefined || currency === undefined || days === undefined)
    throw new UsageError();
  const firstTexts = { firstDays: first["first-days"] ?? "", firstAmount: first["first-amount"] ?? "" };
  return withSite({}, async () => {
    const { addPrice } = await import("#app/domain/billing/offers/own-prices.server.ts");
    const result = await addPrice(ACTOR, { plan, amount, currency, days, ...firstTexts });
    if ("errors" in result) {
      for (const [field, error] of Object.entries(result.errors))
        console.error(`${OPTIONS[field] ?? ""}${error}`);
      return 1;
    }
    console.log(`on sale  ${await lineOf(result.added)}`);
    return 0;
  });
});

async function listAll(): Promise<number> {
  const { listPrices } = await import("#app/domain/billing/offers/own-prices.server.ts");
  const { count } = await import("#app/counts.ts");
  const prices = await listPrices();
  for (const price of prices) {
    const { isOnSale, subscribers, unfit } = price;
    const state = isOnSale ? "on sale" : "ended";
    console.log(`${state}  ${await lineOf(price)}, ${count(subscribers, "subscriber")}`);
    if (unfit !== null) console.log(`  cannot be sold: ${unfit}`);
  }
  if (!prices.some(({ isOnSale }) => isOnSale)) console.log("No price is on sale.");
  return 0;
}

async function endOne(id: string): Promise<number> {
  const { endPrice } = await import("#app/domain/billing/offers/own-prices.server.ts");
  const result = await endPrice(ACTOR, id);
  if ("error" in result) {
    console.error(result.error);
    return 1;
  }
  console.log(`ended  ${await lineOf(result.ended)}`);
  return 0;
}

async function lineOf(price: { id: string; plan: string } & Parameters<FormatTerms>[0]): Promise<string> {
  const { formatTerms } = await import("#app/domain/billing/rules/format-money.ts");
  return `${price.id}  ${price.plan}: ${formatTerms(price)}`;
}

type FormatTerms = typeof import("#app/domain/billing/rules/format-money.ts").formatTerms;
