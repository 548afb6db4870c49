import { startBtcpayStandIn } from "../demo/btcpay/stand-in.ts";
import { runStandIn } from "./supervisor/run-stand-in.ts";

await runStandIn("BTCPay Server", ({ options, flags, env }) => {
  const settings = {
    storeId: env.BTCPAY_STORE_ID ?? "",
    apiKey: env.BTCPAY_API_KEY ?? "",
    webhookSecret: env.BTCPAY_WEBHOOK_SECRET ?? "",
  };
  return startBtcpayStandIn({ ...options, settings, webhookUrl: flags["webhook-url"], seed: flags.seed });
});
