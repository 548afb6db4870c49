/** What a stand-in has sold before the demo's first start; the site knows the purchase by its id. */
export const DEMO_SALE = {
  checkoutId: "5a1e0000-0000-4000-8000-000000000001",
  email: "subscriber@example.com",
  ccbill: { amount: "34.99", days: "90" },
  btcpay: { amount: "119.00", days: "365" },
};
