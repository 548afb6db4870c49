import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "#app/ui/forms/form.module.css";

interface DeviceListProps {
  devices: { sessionId: string; device: string; network: string | null; lastUsed: string; isThis: boolean }[];
}

export function DeviceList({ devices }: DeviceListProps) {
  return (
    <section className={styles.form}>
      <h2>Devices</h2>
      {devices.map(({ sessionId, device, network, lastUsed, isThis }) => (
        <Form key={sessionId} method="post" action={paths.accountAction("devices")} className={styles.letter}>
          <p>
            {device}
            {isThis && " (this one)"}
            {network !== null && `, network ${network}`}, last used {lastUsed}
          </p>
          <input type="hidden" name="sessionId" value={sessionId} />
          <button type="submit" className={buttonClass("quiet")} aria-label={`Sign out ${device}`}>
            Sign out
          </button>
        </Form>
      ))}
      <Form method="post" action={paths.accountAction("sign-out-everywhere")}>
        <button type="submit" className={buttonClass("quiet")}>
          Sign out everywhere
        </button>
      </Form>
    </section>
  );
}
