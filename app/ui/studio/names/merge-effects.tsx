import { Link } from "@remix-run/react";
import { count } from "#app/counts.ts";
import type { MergePreview } from "#app/domain/catalog/edit/names/merge-names.server.ts";
import { type NameKind, paths } from "#app/paths.ts";
import { quoted } from "#app/texts.ts";
import styles from "./names.module.css";

type MergeEffectsProps = Omit<MergePreview, "problem"> & { kind: NameKind };

export function MergeEffects(props: MergeEffectsProps) {
  const { kind, subject, target, shared, newAliases, losesPortrait } = props;
  const address = (slug: string) => (kind === "creator" ? paths.creator(slug) : `?tag=${slug}`);
  return (
    <ul className={styles.effects}>
      <li>
        {count(subject.works, "item")} of {quoted(subject.name)} would move to{" "}
        <Link to={paths.studioName(kind, target.id)}>{quoted(target.name)}</Link>, which has{" "}
        {count(target.works, "item")} now.
        {shared > 0 &&
          (kind === "creator"
            ? ` ${count(shared, "item")} with both would keep the earlier credit.`
            : ` ${count(shared, "item")} with both would keep one tag.`)}
      </li>
      <li>
        The address <code>{address(subject.slug)}</code> and all earlier ones would redirect to{" "}
        <code>{address(target.slug)}</code>.
      </li>
      {kind === "tag" ? (
        <li>
          Imports that use {quoted(subject.name)} would get {quoted(target.name)}.
        </li>
      ) : (
        newAliases.length > 0 && (
          <li>
            Visitors and imports would also know {quoted(target.name)} as{" "}
            {newAliases.map((alias) => quoted(alias)).join(", ")}.
          </li>
        )
      )}
      {kind === "creator" && (
        <li>
          The {losesPortrait ? "biography, links and portrait" : "biography and links"} of{" "}
          {quoted(subject.name)} would be lost. {quoted(target.name)} keeps its own.
        </li>
      )}
      <li>This cannot be undone.</li>
    </ul>
  );
}
