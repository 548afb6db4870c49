import { getSelectProps } from "@conform-to/react";
import { NativeSelect } from "@mantine/core";
import type { Role } from "#app/domain/staff/rights.ts";
import { MAX_ADDRESS_LENGTH } from "#app/texts.ts";
import { Facts } from "#app/ui/forms/facts.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { DownIcon } from "#app/ui/parts/icons.tsx";
import "#app/ui/theme/mantine.css";
import { type OpenedPart, PartForm } from "../part-form.tsx";
import { ROLE_TEXTS } from "./role-texts.ts";

const ROLES = Object.entries(ROLE_TEXTS);

interface RoleFormProps {
  values: { email: string; role: Role };
  form: OpenedPart;
}

export function RoleForm(part: RoleFormProps) {
  return (
    <PartForm
      id="role"
      title="Change a role"
      about={<Facts facts={ROLES.map(([, { label, may }]) => [label, may] as const)} />}
      {...part}
    >
      {({ email, role }) => (
        <>
          <Field
            field={email}
            label="Email address"
            description="They must have signed in at least once."
            type="email"
            inputMode="email"
            maxLength={MAX_ADDRESS_LENGTH}
            autoComplete="off"
            required
            withAsterisk={false}
          />
          <NativeSelect
            {...getSelectProps(role, { ariaAttributes: false })}
            label="Role"
            error={role.errors?.[0]}
            size="md"
            rightSection={<DownIcon />}
          >
            {ROLES.map(([value, { label }]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </NativeSelect>
        </>
      )}
    </PartForm>
  );
}
