import { DEMO_SALE } from "../stand-in/demo-sale.ts";
import type { BtcpayAccount } from "./account.ts";
import { createInvoice } from "./api.ts";
import { receive } from "./invoice-life.ts";

export function seedSale(account: BtcpayAccount): void {
  const { checkoutId, email, btcpay } = DEMO_SALE;
  const metadata = { orderId: checkoutId, buyerEmail: email };
  createInvoice(account, { body: JSON.stringify({ amount: btcpay.amount, currency: "USD", metadata }) });
  for (const invoice of Object.values(account.state.invoices))
    receive(account, invoice, { value: btcpay.amount, method: "BTC-LN" });
}
