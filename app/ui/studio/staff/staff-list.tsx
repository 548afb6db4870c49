import { Badge } from "@mantine/core";
import { Link } from "@remix-run/react";
import type { Role } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import "#app/ui/theme/mantine.css";
import styles from "../studio.module.css";
import { ROLE_TEXTS } from "./role-texts.ts";

interface StaffRow {
  email: string;
  role: Role;
  lastSeen: string | null;
  isYou: boolean;
}

export function StaffList({ staff }: { staff: StaffRow[] }) {
  return (
    <ul className={styles.rows}>
      {staff.map(({ email, role, lastSeen, isYou }) => (
        <li key={email}>
          <div>
            <p>
              <strong>{email}</strong>{" "}
              <Badge component="span" variant="light" color={role === "owner" ? "pink" : "green"}>
                {ROLE_TEXTS[role].label}
              </Badge>
            </p>
            <p className={styles.muted}>
              {isYou ? "You" : lastSeen === null ? "Not seen yet" : `Last seen ${lastSeen}`}
            </p>
          </div>
          <Link to={`${paths.studioStaff({ email })}#role`}>
            Change the role <VisuallyHidden>of {email}</VisuallyHidden>
          </Link>
        </li>
      ))}
    </ul>
  );
}
