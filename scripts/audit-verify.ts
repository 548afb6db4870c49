import { count } from "#app/counts.ts";
import { readFlag, runCommand } from "./command/run-command.ts";
import { withSite } from "./command/with-site.ts";

await runCommand({ name: "audit:verify", takes: "[-- --json]" }, async () => {
  const isJson = readFlag("--json");
  return withSite({}, async () => {
    const { verifyAudit } = await import("#app/domain/staff/audit.server.ts");
    const { allowLongStatements } = await import("#db/client.server.ts");
    allowLongStatements();
    const verified = await verifyAudit();
    const { entries, lastHash, brokenId } = verified;
    if (isJson) console.log(JSON.stringify(verified));
    else if (brokenId === null) console.log(wholeText(entries, lastHash));
    else {
      console.error(
        `The audit log is broken at entry ${brokenId}: this entry was changed, or the one before it was removed.`,
      );
    }
    return brokenId === null ? 0 : 1;
  });
});

/** Only a host who has noted the last hash can tell that entries were removed from the end. */
function wholeText(entries: number, lastHash: string | null): string {
  if (lastHash === null) return "The audit log is empty.";
  return `The audit log is intact: ${count(entries, "entry", "entries")}. The last hash is ${lastHash}.`;
}
