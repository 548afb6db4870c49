import { getSelectProps } from "@conform-to/react";
import { NativeSelect } from "@mantine/core";
import type { Access } from "#app/domain/access/access.ts";
import { Tick } from "#app/ui/forms/field.tsx";
import { DownIcon } from "#app/ui/parts/icons.tsx";
import { fieldLabel } from "#app/ui/studio/field-texts.ts";
import "#app/ui/theme/mantine.css";
import { ACCESS_CHOICES } from "../media-labels.ts";
import { type OpenedPart, PartForm } from "../part-form.tsx";

interface AccessPartProps {
  values: { access: Access; allowDownload?: "yes" };
  form: OpenedPart;
}

export function AccessPart(part: AccessPartProps) {
  return (
    <PartForm
      id="access"
      title={fieldLabel("access")}
      about={<p>Changes take effect at once, for pages and files.</p>}
      {...part}
    >
      {({ access, allowDownload }) => (
        <>
          <NativeSelect
            {...getSelectProps(access, { ariaAttributes: false })}
            label="Who can view it"
            error={access.errors?.[0]}
            size="md"
            rightSection={<DownIcon />}
          >
            {ACCESS_CHOICES.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </NativeSelect>
          <Tick
            id={allowDownload.id}
            name={allowDownload.name}
            value="yes"
            defaultChecked={allowDownload.initialValue === "yes"}
          >
            Allow downloads for everyone who can view it
          </Tick>
        </>
      )}
    </PartForm>
  );
}
