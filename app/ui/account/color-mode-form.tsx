import type { FormEvent } from "react";
import { Theme, useTheme } from "remix-themes/build/theme-provider.js";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { CheckIcon, MoonIcon, SunIcon } from "#app/ui/icons.tsx";
import styles from "./account.module.css";

const MODES = [
  { mode: Theme.LIGHT, words: "Light", Icon: SunIcon },
  { mode: Theme.DARK, words: "Dark", Icon: MoonIcon },
];

/** Works as a form without JavaScript; with it, at once and in every open tab. */
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
    <form method="post" action={paths.api.colorMode()} onSubmit={chooseAtOnce} className={styles.modes}>
      <input type="hidden" name="next" value={paths.account()} />
      {MODES.map(({ mode, words, Icon }) => (
        <button
          key={mode}
          type="submit"
          name="theme"
          value={mode}
          aria-pressed={mode === chosen}
          className={buttonClass("quiet")}
        >
          <Icon />
          {words}
          {mode === chosen && <CheckIcon />}
        </button>
      ))}
    </form>
  );
}
