import { startCcbillStandIn } from "../demo/ccbill/stand-in.ts";
import { runStandIn } from "./supervisor/run-stand-in.ts";

await runStandIn("CCBill", ({ options, flags, env }) => {
  const [clientAccnum = "", clientSubacc = ""] = (env.CCBILL_ACCOUNT ?? "").split("-");
  const settings = {
    clientAccnum,
    clientSubacc,
    flexId: env.CCBILL_FLEX_ID ?? "",
    salt: env.CCBILL_SALT ?? "",
    dataLinkUser: env.CCBILL_DATALINK_USER ?? "",
    dataLinkPassword: env.CCBILL_DATALINK_PASSWORD ?? "",
    approvalUrl: flags["approval-url"] ?? "/",
    denialUrl: flags["denial-url"] ?? "/",
  };
  return startCcbillStandIn({ ...options, settings, webhookUrl: flags["webhook-url"], seed: flags.seed });
});
