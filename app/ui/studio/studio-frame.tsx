import { useLocation, useNavigationType } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import type { StaffRight } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { useUser } from "#app/ui/session/user-context.tsx";
import styles from "./studio.module.css";
import { useUnsavedQuestion } from "./unsaved.ts";

interface Entry {
  label: string;
  to: string;
  right?: StaffRight;
}

const ENTRIES: Entry[] = [
  { label: "Studio", to: paths.studio() },
  { label: "Items", to: paths.studioMedia(), right: "media.edit" },
  { label: "Upload", to: paths.studioUpload(), right: "media.edit" },
  { label: "Creators", to: paths.studioNames("creator"), right: "media.edit" },
  { label: "Tags", to: paths.studioNames("tag"), right: "media.edit" },
  { label: "Staff", to: paths.studioStaff(), right: "site" },
  { label: "Plans", to: paths.studioPlans(), right: "site" },
  { label: "Settings", to: paths.studioSettings(), right: "site" },
  { label: "Audit log", to: paths.studioAudit(), right: "site" },
];

interface StudioFrameProps {
  title: string;
  about?: ReactNode;
  /** The id of the item whose page it is. */
  item?: string;
  children: ReactNode;
}

/** The navigation shows only the pages that the role may see. */
export function StudioFrame({ title, about, item, children }: StudioFrameProps) {
  const rights = useUser()?.rights ?? [];
  const { pathname } = useLocation();
  const heading = useHeadingOfNext(item);
  useUnsavedQuestion();
  const open = ENTRIES.filter(({ right }) => right === undefined || rights.includes(right));
  return (
    <div className={styles.page}>
      <nav aria-label="Studio">
        <ul className={styles.navigation}>
          {open.map(({ label, to }) => (
            <li key={to}>
              <SiteLink to={to} aria-current={isCurrent(pathname, to) ? "page" : undefined}>
                {label}
              </SiteLink>
            </li>
          ))}
        </ul>
      </nav>
      <header className={styles.heading}>
        <h1 ref={heading}>{title}</h1>
        {about && <p className={styles.muted}>{about}</p>}
      </header>
      {children}
    </div>
  );
}

/** "Save and next draft" keeps the place on the page, as "Save" does. Another item begins at its heading. */
function useHeadingOfNext(item: string | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const last = useRef(item);
  const isStepBack = useNavigationType() === "POP";
  useEffect(() => {
    if (last.current === item) return;
    last.current = item;
    if (isStepBack || heading.current === null) return;
    window.scrollTo(0, 0);
    heading.current.tabIndex = -1;
    heading.current.focus({ preventScroll: true });
  }, [item, isStepBack]);
  return heading;
}

/** An item's page is part of the list of items. */
function isCurrent(pathname: string, entry: string): boolean {
  return pathname === entry || (entry !== paths.studio() && pathname.startsWith(`${entry}/`));
}
