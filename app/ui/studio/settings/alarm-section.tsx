import { Button } from "@mantine/core";
import "#app/ui/theme/mantine.css";
import { TextField } from "./setting-fields.tsx";
import { type EditedSettings, SettingSection } from "./setting-section.tsx";

interface AlarmSectionProps extends EditedSettings {
  maxAddresses: number;
  /** Those of the accounts of all owners, which count while the field is empty. */
  ownerAddresses: string[];
  /** The addresses to which a test was sent just now. */
  testedAddresses: string[] | undefined;
}

const ABOUT =
  "The site looks every 15 minutes for mails that are not sent, payments that could not be processed, jobs that failed, late backups and a disk that is nearly full. It writes a mail when something is wrong, once a day while that lasts, and when all is well again. While no mail can be sent, the first page of the studio shows it.";

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
          description={`Up to ${maxAddresses} mail addresses, one a line. Without any, alarms go to the account of every owner: ${listOf(ownerAddresses)}. A test goes to the addresses that are saved.`}
        />
      )}
    </SettingSection>
  );
}

function testedSentence(addresses: string[]): string {
  if (addresses.length === 0) return "Nobody gets alarms, so no test was sent.";
  return `A test alarm is on its way to ${listOf(addresses)}. It should arrive within a minute.`;
}

function listOf(addresses: string[]): string {
  return addresses.length === 0 ? "there is none" : addresses.join(", ");
}
