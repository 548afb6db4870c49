import { Button, Group } from "@mantine/core";
import type { FormEvent } from "react";
import { Theme, useTheme } from "remix-themes/build/theme-provider.js";
import { paths } from "#app/paths.ts";
import { CheckIcon, MoonIcon, SunIcon } from "#app/ui/parts/icons.tsx";
import "#app/ui/theme/mantine.css";
import styles from "./account.module.css";

const MODES = [
  { mode: Theme.LIGHT, words: "Light", Icon: SunIcon },
  { mode: Theme.DARK, words: "Dark", Icon: MoonIcon },
];

/** Works without JavaScript; with it, the mode changes at once in every open tab. */
export function ColorModeForm() {
  const [chosen, choose] = useTheme();

  function chooseAtOnce(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    const mode = MODES.find((one) => submitter instanceof HTMLButtonElement && one.mode === submitter.value);
    if (mode === undefined) return;
    event.preventDefault();
    choose(mode.mode);
  }

  return (
    <form method="post" action={paths.api.colorMode()} onSubmit={chooseAtOnce}>
      <input type="hidden" name="next" value={paths.account()} />
      <Group gap="sm">
        {MODES.map(({ mode, words, Icon }) => (
          <Button
            key={mode}
            type="submit"
            name="theme"
            value={mode}
            aria-pressed={mode === chosen}
            variant="default"
            leftSection={<Icon />}
            rightSection={mode === chosen && <CheckIcon />}
            className={styles.mode}
          >
            {words}
          </Button>
        ))}
      </Group>
    </form>
  );
}
