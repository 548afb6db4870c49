import { getInputProps } from "@conform-to/react";
import { TextInput } from "@mantine/core";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { type OpenedPart, PartForm } from "../part-form.tsx";
import styles from "./item.module.css";

interface DatesPartProps {
  values: { producedOn: string; expireAt: string; timeZone: string; expiredAt: string };
  form: OpenedPart;
  mayChangeExpiry: boolean;
}

export function DatesPart({ mayChangeExpiry, ...part }: DatesPartProps) {
  return (
    <PartForm
      id="dates"
      title="Dates"
      about={<p>The publication date is on the overview. It stays the same once the item is public.</p>}
      {...part}
    >
      {({ producedOn, expireAt, timeZone, expiredAt }) => (
        <div className={styles.pair}>
          <input {...getInputProps(timeZone, { type: "hidden" })} />
          <input {...getInputProps(expiredAt, { type: "hidden" })} />
          <TextInput
            {...getInputProps(producedOn, { type: "date", ariaAttributes: false })}
            label={fieldLabel("producedOn")}
            description="Required for your 2257 records."
            error={producedOn.errors?.[0]}
            size="md"
          />
          <TextInput
            {...getInputProps(expireAt, { type: "datetime-local", ariaAttributes: false })}
            // Not sent, so that a publisher's change in the meantime stays.
            name={mayChangeExpiry ? expireAt.name : undefined}
            defaultValue={mayChangeExpiry ? expireAt.initialValue : part.values.expireAt}
            label={`${fieldLabel("expireAt")} (${timeZone.initialValue})`}
            description={
              mayChangeExpiry
                ? "Leave it empty to show the item without an end."
                : "Only a publisher can change this."
            }
            readOnly={!mayChangeExpiry}
            error={expireAt.errors?.[0]}
            size="md"
          />
        </div>
      )}
    </PartForm>
  );
}
