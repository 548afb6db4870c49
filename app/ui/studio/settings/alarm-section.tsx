import { Button } from "@mantine/core";
import "#app/ui/theme/mantine.css";
import { TextField } from "./setting-fields.tsx";
import { type EditedSettings, SettingSection } from "./setting-section.tsx";

interface AlarmSectionProps extends EditedSettings {
  maxAddresses: number;
  /** They count while the field is empty. */
  ownerAddresses: string[];
  testedAddresses: string[] | undefined;
}

const ABOUT =
  "Every 15 minutes, the site looks for emails that are not sent, payments that were not processed, failed jobs, late backups and a disk that is nearly full. It sends an email when something is wrong, once a day while it lasts, and when everything is fine again. While it cannot send email, the first page of the studio shows the problem.";

export function AlarmSection({
  maxAddresses,
  ownerAddresses,
  testedAddresses,
  ...section
}: AlarmSectionProps) {
  return (
    <SettingSection
      {...section}
      about={ABOUT}
      done={testedAddresses && testedSentence(testedAddresses)}
      button={
        <Button type="submit" name="intent" value="test" variant="default">
          Send a test alarm
        </Button>
      }
    >
      {(values) => (
        <TextField
          {...section}
          values={values}
          setting="alarmAddresses"
          rows={maxAddresses}
          description={`Up to ${maxAddresses} email addresses, one per line. If the field is empty, alarms go to every owner: ${listOf(ownerAddresses)}. A test goes to the saved addresses.`}
        />
      )}
    </SettingSection>
  );
}

function testedSentence(addresses: string[]): string {
  if (addresses.length === 0) return "Nobody receives alarms, so no test was sent.";
  return `A test alarm is on its way to ${listOf(addresses)}. It should arrive within a minute.`;
}

function listOf(addresses: string[]): string {
  return addresses.length === 0 ? "there is no owner yet" : addresses.join(", ");
}
