import { getFormProps, getSelectProps, type SubmissionResult, useForm } from "@conform-to/react";
import { NativeSelect, Stack } from "@mantine/core";
import { Form } from "@remix-run/react";
import type { Role } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { MAX_ADDRESS_LENGTH } from "#app/texts.ts";
import { AnotherCodeButton, CodeField } from "#app/ui/forms/code-field.tsx";
import { Facts } from "#app/ui/forms/facts.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { ErrorIdLine, FormError } from "#app/ui/forms/form-error.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { DownIcon } from "#app/ui/parts/icons.tsx";
import type { RequestedCode } from "#app/web/forms/confirm-in-form.server.ts";
import "#app/ui/theme/mantine.css";
import { ROLE_TEXTS } from "./role-texts.ts";

const OFFERED = (Object.keys(ROLE_TEXTS) as Role[]).filter((role) => role !== "member");

interface RoleFormProps {
  refused: SubmissionResult<string[]> | undefined;
  code: RequestedCode | null;
  errorId: string | undefined;
  hasOutbox: boolean;
}

export function RoleForm({ refused, code, errorId, hasOutbox }: RoleFormProps) {
  const [form, fields] = useForm<{ email: string; role: string }, string[]>({
    id: "role",
    lastResult: refused,
    defaultValue: { role: "editor" },
    constraint: { email: { required: true, maxLength: MAX_ADDRESS_LENGTH }, role: { required: true } },
  });
  return (
    <Form method="post" action={paths.studioStaff()} preventScrollReset {...getFormProps(form)} noValidate>
      <input type="hidden" name="intent" value="give" />
      <Stack gap="lg">
        <FormError id={form.errorId}>{form.errors?.[0]}</FormError>
        <Field
          field={fields.email}
          label="Email address"
          description="They must have signed in at least once."
          type="email"
          inputMode="email"
          autoComplete="off"
          withAsterisk={false}
        />
        <NativeSelect
          {...getSelectProps(fields.role, { ariaAttributes: false })}
          label="Role"
          error={fields.role.errors?.[0]}
          size="md"
          withAsterisk={false}
          rightSection={<DownIcon />}
        >
          {OFFERED.map((role) => (
            <option key={role} value={role}>
              {ROLE_TEXTS[role].label}
            </option>
          ))}
        </NativeSelect>
        {code !== null && <CodeField code={code} hasOutbox={hasOutbox} />}
        <ErrorIdLine id={errorId} />
        <SubmitButton isOurs={(sent) => sent.get("intent") === "give"} busyLabel="Saving …">
          Give the role
        </SubmitButton>
        {code !== null && <AnotherCodeButton />}
      </Stack>
    </Form>
  );
}

export function RoleExplanations() {
  return <Facts facts={OFFERED.map((role) => [ROLE_TEXTS[role].label, ROLE_TEXTS[role].may] as const)} />;
}
