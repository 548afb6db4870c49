import { readAddress } from "#app/config/mail-addresses.ts";
import { ROLES, type Role } from "#app/domain/staff/rights.ts";
import { readOptions, runCommand, UsageError } from "./command/run-command.ts";
import { withSite } from "./command/with-site.ts";

const FLAG = { type: "boolean", default: false } as const;

const takes = `-- <email address> <${ROLES.join(" | ")}> [--dry-run] [--json]`;
await runCommand({ name: "people:role", takes }, async () => {
  const { values, positionals } = readOptions({ "dry-run": FLAG, json: FLAG });
  const [address, role, ...rest] = positionals;
  if (address === undefined || role === undefined || rest.length > 0) throw new UsageError();
  if (!isRole(role)) {
    throw new UsageError(`There is no such role: choose ${ROLES.join(", ")}. "member" removes a role.`);
  }
  const email = readAddress(address);
  if (email === null) throw new UsageError("The first argument must be one complete email address.");
  const isDryRun = values["dry-run"];
  return withSite({ isDryRun }, async () => {
    const { changeRole } = await import("#app/domain/staff/roles.server.ts");
    const actor = { id: null, name: "people:role", role: "owner" } as const;
    const change = await changeRole(actor, email, role, { isDryRun });
    if (!change.done) {
      console.error(change.error);
      return 1;
    }
    if (values.json) console.log(JSON.stringify({ ...change, isDryRun }));
    else console.log(sentence(change, isDryRun));
    return 0;
  });
});

function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

function sentence({ email, before, after }: { email: string; before: Role; after: Role }, isDryRun: boolean) {
  if (before === after) return `${email} already has the role ${after}.`;
  return `${email}: ${before} → ${after}${isDryRun ? "; nothing was written" : ""}.`;
}
