import { ROLES, type Role } from "#app/domain/staff/rights.ts";
import { runStaffCommand } from "./command/staff-command.ts";

await runStaffCommand({
  usage: `npm run people:role -- <mail address> <${ROLES.join(" | ")}> [--dry-run] [--json]`,
  arguments: 2,
  options: ["dry-run", "json"],
  run: async ({ values: [address = "", role = ""], isDryRun, isJson }) => {
    if (!isRole(role)) {
      console.error(`There is no role of this name: choose ${ROLES.join(", ")}. "member" takes a role away.`);
      return 2;
    }
    const { parseAddress } = await import("#app/config/mail-addresses.ts");
    const { changeRole } = await import("#app/domain/staff/roles.server.ts");
    const email = parseAddress(address);
    if (email === null) {
      console.error("The first argument has to be one complete mail address.");
      return 2;
    }
    const change = await changeRole({ id: null, name: "people:role", role: "owner" }, email, role, {
      isDryRun,
    });
    if (!change.done) {
      console.error(change.problem);
      return 1;
    }
    if (isJson) console.log(JSON.stringify({ ...change, isDryRun }));
    else console.log(sentence(change, isDryRun));
    return 0;
  },
});

function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

function sentence({ email, before, after }: { email: string; before: Role; after: Role }, isDryRun: boolean) {
  if (before === after) return `${email} has the role ${after} already.`;
  return `${email}: ${before} → ${after}${isDryRun ? "; nothing was written" : ""}.`;
}
