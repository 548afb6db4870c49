import { openBtcpayShop } from "./btcpay.ts";
import { openCcbillShop } from "./ccbill.ts";
import { openStripeShop } from "./stripe.ts";

/** Every provider, at its stand-in. */
export const SHOPS = { stripe: openStripeShop, ccbill: openCcbillShop, btcpay: openBtcpayShop };
