import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { MachineHelp } from "#app/ui/studio/machine-help.tsx";
import { ReleaseCalendar } from "#app/ui/studio/release-calendar.tsx";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import styles from "#app/ui/studio/waiting.module.css";
import { Waiting } from "#app/ui/studio/waiting.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { findOverview } from "#app/web/studio/overview.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Studio", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const member = await requireStaff(request);
  return { ...(await findOverview(actorOf(member))), timeZone: siteFacts.timeZone };
}

export default function StudioPage() {
  const { firstSteps, waiting, planned, published, disk, timeZone } = useLoaderData<typeof loader>();
  return (
    <StudioFrame title="Studio" about={`Times are in ${timeZone}.`}>
      <div className={disk ? styles.columns : undefined}>
        <div className={styles.aside}>
          {firstSteps.length > 0 && (
            <section className={styles.section} aria-labelledby="first-steps-title">
              <h2 id="first-steps-title">First steps</h2>
              <Waiting lines={firstSteps} />
            </section>
          )}
          {waiting.length > 0 || firstSteps.length === 0 ? (
            <section className={styles.section} aria-labelledby="waiting-title">
              <h2 id="waiting-title">To do</h2>
              <Waiting lines={waiting} />
            </section>
          ) : null}
          <MachineHelp anchors={[...firstSteps, ...waiting].map(({ to }) => to)} />
        </div>
        {disk && (
          <section className={styles.section} aria-labelledby="disk-title">
            <h2 id="disk-title">Disk</h2>
            <div className={styles.disk}>
              <p id="disk-text">{disk.text}</p>
              <meter
                aria-labelledby="disk-text"
                min={0}
                max={disk.totalBytes}
                value={disk.totalBytes - disk.freeBytes}
              />
              {disk.originals !== null && <p className={styles.muted}>{disk.originals}</p>}
            </div>
          </section>
        )}
      </div>
      {planned && (
        <section className={styles.section} aria-labelledby="planned-title">
          <h2 id="planned-title">Planned releases</h2>
          <ReleaseCalendar days={planned} />
        </section>
      )}
      {published && (
        <section className={styles.section} aria-labelledby="published-title">
          <h2 id="published-title">Recently published</h2>
          {published.length === 0 ? (
            <p className={styles.muted}>Nothing is published yet.</p>
          ) : (
            <ul className={styles.lines}>
              {published.map(({ to, title, at }) => (
                <li key={to}>
                  <p>
                    <Link to={to}>{title}</Link>
                  </p>
                  <p className={styles.muted}>{at}</p>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
    </StudioFrame>
  );
}
