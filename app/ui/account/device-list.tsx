import { Badge, Button } from "@mantine/core";
import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import "#app/ui/theme/mantine.css";
import styles from "./account.module.css";

interface DeviceListProps {
  devices: { sessionId: string; device: string; network: string | null; lastUsed: string; isThis: boolean }[];
}

export function DeviceList({ devices }: DeviceListProps) {
  return (
    <>
      <ul className={styles.rows}>
        {devices.map(({ sessionId, device, network, lastUsed, isThis }) => (
          <li key={sessionId}>
            <div>
              <p>
                <strong>{device}</strong>{" "}
                {isThis && (
                  <Badge component="span" variant="light" color="green">
                    This device
                  </Badge>
                )}
              </p>
              <p className={styles.muted}>
                Last used {lastUsed}
                {network !== null && <>, network {network}</>}
              </p>
            </div>
            <Form method="post" action={paths.accountAction("devices")} preventScrollReset>
              <input type="hidden" name="sessionId" value={sessionId} />
              <Button type="submit" variant="default">
                Sign out <VisuallyHidden>{device}</VisuallyHidden>
              </Button>
            </Form>
          </li>
        ))}
      </ul>
      <Form method="post" action={paths.accountAction("sign-out-everywhere")}>
        <Button type="submit" variant="default">
          Sign out everywhere
        </Button>
      </Form>
    </>
  );
}
