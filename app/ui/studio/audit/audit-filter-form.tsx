import type { AuditFilters } from "#app/domain/staff/audit-filters.ts";
import { paths } from "#app/paths.ts";
import { MAX_ADDRESS_LENGTH } from "#app/texts.ts";
import filterStyles from "#app/ui/catalog/filters.module.css";
import { Choice, ListForm } from "#app/ui/catalog/list-form.tsx";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { buttonClass } from "#app/ui/parts/button.tsx";
import { ACTION_OPTIONS } from "./audit-texts.ts";

interface AuditFilterFormProps {
  filters: AuditFilters;
  /** Of a subject that the address names by its id. */
  subjectName: string | null;
  isFiltered: boolean;
  timeZone: string;
}

export function AuditFilterForm({ filters, subjectName, isFiltered, timeZone }: AuditFilterFormProps) {
  return (
    <ListForm action={paths.studioAudit()} state={filters}>
      <div className={filterStyles.choices}>
        <label>
          <span>Who</span>
          <input
            name="actor"
            defaultValue={filters.actor ?? ""}
            maxLength={MAX_ADDRESS_LENGTH}
            placeholder="Email address"
            inputMode="email"
          />
        </label>
        <Choice
          label="Action"
          name="action"
          value={filters.action}
          any="Any action"
          options={ACTION_OPTIONS}
        />
        <label>
          <span>Item or person</span>
          <input
            name="subject"
            defaultValue={subjectName ?? filters.subject ?? ""}
            maxLength={MAX_ADDRESS_LENGTH}
            placeholder="Title or email"
          />
        </label>
        <label>
          <span>From ({timeZone})</span>
          <input type="date" name="from" defaultValue={filters.from ?? ""} />
        </label>
        <label>
          <span>Until ({timeZone})</span>
          <input type="date" name="to" defaultValue={filters.to ?? ""} />
        </label>
        <button type="submit" className={buttonClass()}>
          Show
        </button>
      </div>
      {isFiltered && (
        <p>
          <SiteLink to={paths.studioAudit()}>Show everything</SiteLink>
        </p>
      )}
    </ListForm>
  );
}
