import styles from "./player.module.css";

const KEYS = [
  ["Space or K", "play, pause"],
  ["J, L", "10 seconds back, on"],
  ["← →", "5 seconds back, on"],
  ["0 to 9", "to that tenth of the film"],
  ["M", "sound off, on"],
  ["F", "full screen"],
] as const;

export function KeyboardHelp() {
  return (
    <details className={styles.keys}>
      <summary>Keyboard</summary>
      <dl>
        {KEYS.map(([keys, meaning]) => (
          <div key={keys} style={{ display: "contents" }}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
