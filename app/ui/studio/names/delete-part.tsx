import type { NameKind } from "#app/paths.ts";
import { Tick } from "#app/ui/forms/field.tsx";
import form from "#app/ui/forms/form.module.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { PartForm } from "../part-form.tsx";
import { worksText } from "./name-heading.tsx";

interface DeletePartProps {
  kind: NameKind;
  works: number;
}

export function DeletePart({ kind, works }: DeletePartProps) {
  const counted = worksText(kind, works);
  if (kind === "creator" && works > 0) {
    return (
      <FormSection id="delete" title="Delete" isAlone>
        <p>You can only delete a creator without works. This one has {counted}.</p>
      </FormSection>
    );
  }
  return (
    <PartForm
      id="delete"
      title="Delete"
      about={<p>{aboutOf(kind, works, counted)}</p>}
      values={{ confirm: "" }}
      save="Delete it"
      isDangerous
    >
      {({ confirm }) => (
        <div>
          <Tick
            name={confirm.name}
            value="yes"
            defaultChecked={confirm.initialValue === "yes"}
            data-unsaved="never"
            aria-invalid={confirm.errors ? true : undefined}
            aria-describedby={confirm.errors ? confirm.errorId : undefined}
          >
            {kind === "creator"
              ? "Yes, delete this creator for good"
              : `Yes, delete this tag${works === 0 ? "" : ` and remove it from ${counted}`}`}
          </Tick>
          {confirm.errors && (
            <p id={confirm.errorId} className={form.wrong}>
              {confirm.errors[0]}
            </p>
          )}
        </div>
      )}
    </PartForm>
  );
}

function aboutOf(kind: NameKind, works: number, counted: string): string {
  if (kind === "creator") {
    return "This creator has no works. The page, its earlier addresses and the portrait will be deleted for good.";
  }
  return works === 0
    ? "No item has this tag."
    : `${counted} ${works === 1 ? "has" : "have"} this tag and would lose it.`;
}
