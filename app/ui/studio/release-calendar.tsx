import { Link } from "@remix-run/react";
import styles from "./waiting.module.css";

interface CalendarDay {
  /** "2026-11-27" */
  day: string;
  label: string;
  releases: { to: string; title: string; time: string }[];
  more: string | null;
}

/** Four rows of seven days, or on a phone the days with releases. */
export function ReleaseCalendar({ days }: { days: CalendarDay[] }) {
  if (days.length === 0) {
    return <p className={styles.calm}>Nothing is scheduled for the next four weeks.</p>;
  }
  return (
    <ol className={styles.calendar}>
      {days.map(({ day, label, releases, more }) => (
        <li key={day} className={releases.length === 0 ? styles.empty : undefined}>
          <h3>
            <time dateTime={day}>{label}</time>
          </h3>
          {releases.map(({ to, title, time }) => (
            <p key={to}>
              <time dateTime={`${day}T${time}`}>{time}</time> <Link to={to}>{title}</Link>
            </p>
          ))}
          {more !== null && (
            <p>
              <Link to={more}>All scheduled items</Link>
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
