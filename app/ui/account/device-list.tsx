import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./account.module.css";

interface DeviceListProps {
  devices: { sessionId: string; device: string; network: string | null; lastUsed: string; isThis: boolean }[];
}

export function DeviceList({ devices }: DeviceListProps) {
  return (
    <>
      <ul className={styles.devices}>
        {devices.map(({ sessionId, device, network, lastUsed, isThis }) => (
          <li key={sessionId}>
            <div className={styles.device}>
              <p>
                <strong>{device}</strong>
                {isThis && <span className={styles.this}>This device</span>}
              </p>
              <p className={styles.muted}>
                Last used {lastUsed}
                {network !== null && <>, network {network}</>}
              </p>
            </div>
            <Form method="post" action={paths.accountAction("devices")} preventScrollReset>
              <input type="hidden" name="sessionId" value={sessionId} />
              <button type="submit" className={buttonClass("quiet")}>
                Sign out <VisuallyHidden>{device}</VisuallyHidden>
              </button>
            </Form>
          </li>
        ))}
      </ul>
      <Form method="post" action={paths.accountAction("sign-out-everywhere")}>
        <button type="submit" className={buttonClass("quiet")}>
          Sign out everywhere
        </button>
      </Form>
    </>
  );
}
