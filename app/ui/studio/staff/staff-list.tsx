import { Badge, Button, Stack } from "@mantine/core";
import { Form } from "@remix-run/react";
import type { Role } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { AnotherCodeButton, CodeField } from "#app/ui/forms/code-field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import type { RequestedCode } from "#app/web/forms/confirm-in-form.server.ts";
import "#app/ui/theme/mantine.css";
import styles from "../studio.module.css";
import { ROLE_TEXTS } from "./role-texts.ts";

export interface StaffRow {
  email: string;
  role: Role;
  lastSeen: string | null;
  isYou: boolean;
}

export interface RefusedRemoval {
  email: string;
  error: string | undefined;
  code: RequestedCode | null;
}

interface StaffListProps {
  staff: StaffRow[];
  refused: RefusedRemoval | null;
  hasOutbox: boolean;
}

export function StaffList({ staff, refused, hasOutbox }: StaffListProps) {
  return (
    <ul className={styles.rows}>
      {staff.map((person) => (
        <li key={person.email}>
          <div>
            <p>
              <strong>{person.email}</strong>{" "}
              <Badge component="span" variant="light" color={person.role === "owner" ? "pink" : "green"}>
                {ROLE_TEXTS[person.role].label}
              </Badge>
            </p>
            <p className={styles.muted}>
              {person.isYou
                ? "You"
                : person.lastSeen === null
                  ? "Not seen yet"
                  : `Last seen ${person.lastSeen}`}
            </p>
          </div>
          <RemoveForm
            email={person.email}
            refused={refused?.email === person.email ? refused : null}
            hasOutbox={hasOutbox}
          />
        </li>
      ))}
    </ul>
  );
}

interface RemoveFormProps {
  email: string;
  refused: RefusedRemoval | null;
  hasOutbox: boolean;
}

function RemoveForm({ email, refused, hasOutbox }: RemoveFormProps) {
  const code = refused?.code ?? null;
  return (
    // Folded, because the next person's button moves to where the pressed one was.
    <details open={refused !== null || undefined} className={styles.folded}>
      <summary>
        Remove the role … <VisuallyHidden>of {email}</VisuallyHidden>
      </summary>
      <Form method="post" action={paths.studioStaff()} preventScrollReset>
        <input type="hidden" name="intent" value="remove" />
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="role" value="member" />
        <Stack gap="md">
          <FormError>{refused?.error}</FormError>
          {code !== null && <CodeField code={code} hasOutbox={hasOutbox} />}
          <p>{email} stays a member of the site.</p>
          <Button type="submit" variant="default">
            Remove the role
          </Button>
          {code !== null && <AnotherCodeButton />}
        </Stack>
      </Form>
    </details>
  );
}
