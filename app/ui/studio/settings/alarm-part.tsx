import { Button } from "@mantine/core";
import { DoneStatus } from "#app/ui/forms/form-section.tsx";
import "#app/ui/theme/mantine.css";
import { type OpenedSettings, SettingPart } from "./setting-part.tsx";

interface AlarmPartProps {
  page: OpenedSettings & {
    maxAlarmAddresses: number;
    /** They count while the field is empty. */
    ownerAddresses: string[];
  };
  testedAddresses: string[] | undefined;
}

const ABOUT =
  "Every 15 minutes, the site checks for unsent emails, unprocessed payments, failed jobs, late backups and a nearly full disk. It sends an email when something goes wrong, once a day until it is fixed, and when everything is fine again. If it cannot send email, the studio’s first page still shows what is wrong.";

export function AlarmPart({ page, testedAddresses }: AlarmPartProps) {
  const { maxAlarmAddresses: max, ownerAddresses } = page;
  return (
    <SettingPart
      page={page}
      about={ABOUT}
      button={
        <Button type="submit" name="intent" value="test" variant="default">
          Send a test alarm
        </Button>
      }
    >
      {(field) => (
        <>
          <DoneStatus done={testedAddresses && testedSentence(testedAddresses)} />
          {field("alarmAddresses", {
            rows: max,
            description: `Up to ${max} email addresses, one per line. If the field is empty, alarms go to every owner: ${listOf(ownerAddresses)}. A test goes to the saved addresses.`,
          })}
        </>
      )}
    </SettingPart>
  );
}

function testedSentence(addresses: string[]): string {
  if (addresses.length === 0) return "Nobody receives alarms, so no test was sent.";
  return `A test alarm is on its way to ${listOf(addresses)}. It should arrive within a minute.`;
}

function listOf(addresses: string[]): string {
  return addresses.length === 0 ? "there is no owner yet" : addresses.join(", ");
}
