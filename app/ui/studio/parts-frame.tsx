import { Link, NavLink, useLocation, useNavigate } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import styles from "./parts-frame.module.css";

export interface Part {
  to: string;
  name: string;
  /** What is in it, such as "3 captions". */
  holds: string;
}

interface PartsFrameProps {
  /** The address of the list of parts. */
  overview: string;
  back: string;
  parts: Part[];
  /** Above the parts, on each of their pages. */
  above?: ReactNode;
  /** Below the list. */
  below?: ReactNode;
  /** Null when the overview is nothing but the list. */
  children: ReactNode;
}

/** The parts stay in sight. A phone shows their list on the overview, and elsewhere a link back to it. */
export function PartsFrame({ overview, back, parts, above, below, children }: PartsFrameProps) {
  const isOverview = useLocation().pathname === overview;
  return (
    <div
      className={styles.frame}
      data-overview={isOverview || undefined}
      data-alone={children === null || undefined}
    >
      {above}
      <p className={styles.back}>
        <Link to={overview}>‹ {back}</Link>
      </p>
      <nav aria-label="Parts" className={styles.parts}>
        <ul>
          {parts.map(({ to, name, holds }) => (
            <li key={to}>
              <NavLink to={to} end>
                <span>{name}</span> {holds !== "" && <span className={styles.holds}>{holds}</span>}
              </NavLink>
            </li>
          ))}
        </ul>
        {below}
      </nav>
      {children !== null && <div className={styles.part}>{children}</div>}
    </div>
  );
}

/** Old bookmarks name a section of the former long page by its anchor, which servers do not see. */
export function useOldAnchors(overview: string, partOf: Record<string, string>): void {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const part = partOf[hash.slice(1)];
    if (part === undefined || pathname !== overview) return;
    navigate(`${overview}/${part}${search}`, { replace: true });
  }, [overview, partOf, pathname, search, hash, navigate]);
}
