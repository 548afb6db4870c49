import { DEMO_SALE } from "../stand-in/demo-sale.ts";
import type { CcbillAccount } from "./account.ts";
import { ENDLESS } from "./order.ts";
import { sell } from "./sale.ts";

const DOLLARS = "840";
const CARD = "4242";

export function seedSale(account: CcbillAccount): void {
  const { checkoutId, email, ccbill } = DEMO_SALE;
  const days = Number(ccbill.days);
  const recurring = { price: ccbill.amount, period: days, rebills: ENDLESS };
  sell(account, {
    order: { initialPrice: ccbill.amount, initialPeriod: days, recurring, currencyCode: DOLLARS },
    link: new URLSearchParams({ peony_checkout: checkoutId }),
    form: new URLSearchParams({ email }),
    last4: CARD,
  });
}
