import { type ReactNode, useEffect, useId } from "react";
import styles from "./bar.module.css";

interface MenuProps {
  label: string;
  icon: ReactNode;
  /** Invisible and without its choices until scripts run, but keeps its space. */
  needsScripts?: boolean;
  isReady: boolean;
  children: ReactNode;
}

/** Works without scripts. The shared name keeps one menu open at a time. */
export function Menu({ label, icon, needsScripts = false, isReady, children }: MenuProps) {
  const waits = needsScripts && !isReady;
  return (
    <details className={styles.menu} name="player" data-waits={waits || undefined}>
      <summary className={styles.control}>
        {icon} {label}
      </summary>
      <div className={styles.panel}>{waits ? null : children}</div>
    </details>
  );
}

interface ChoiceProps<Value extends string | number> {
  legend: string;
  options: readonly { value: Value; label: string }[];
  chosen: Value;
  onChoose: (value: Value) => void;
}

export function Choice<Value extends string | number>({
  legend,
  options,
  chosen,
  onChoose,
}: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend>{legend}</legend>
      {options.map(({ value, label }) => (
        <label key={value}>
          <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />{" "}
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** Closes menus by Escape, a press outside, and their links: on phones they cover the page. */
export function useClosingMenus(): void {
  useEffect(() => {
    const close = (menu: Element) => menu.removeAttribute("open");
    const open = () => [...document.querySelectorAll(`.${styles.menu}[open]`)];
    const onPress = ({ target }: Event) => {
      for (const menu of open()) if (!(target instanceof Node && menu.contains(target))) close(menu);
    };
    const leave = (menu: Element) => {
      const hadFocus = menu.contains(document.activeElement);
      close(menu);
      if (hadFocus) menu.querySelector("summary")?.focus();
    };
    const onFocusOut = ({ relatedTarget: next }: FocusEvent) => {
      // A press on an option's text moves the focus to an element around the menu.
      if (next instanceof Node)
        open()
          .filter((menu) => !menu.contains(next) && !next.contains(menu))
          .forEach(close);
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === "Escape") open().forEach(leave);
    };
    const onClick = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest("a") : null;
      if (link !== null)
        open()
          .filter((menu) => menu.contains(link))
          .forEach(leave);
    };
    document.addEventListener("pointerdown", onPress);
    document.addEventListener("focusout", onFocusOut);
    document.addEventListener("keydown", onKey);
    document.addEventListener("click", onClick);
    return () => {
      document.removeEventListener("pointerdown", onPress);
      document.removeEventListener("focusout", onFocusOut);
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("click", onClick);
    };
  }, []);
}
