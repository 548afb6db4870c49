import { Button } from "@mantine/core";
import { type DragEvent, useRef, useState } from "react";
import "#app/ui/theme/mantine.css";
import { droppedFiles, type Given, pickedFiles } from "./chosen-files.ts";
import styles from "./upload.module.css";

interface UploadPickerProps {
  isPreparing: boolean;
  onChoose: (given: Given) => void;
}

export function UploadPicker({ isPreparing, onChoose }: UploadPickerProps) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onChoose(droppedFiles(event.dataTransfer));
  };
  return (
    <section
      className={styles.zone}
      aria-label="Choose files"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p className={styles.lead}>Drop videos, pictures or folders here</p>
      <div className={styles.buttons}>
        <FileButton label="Choose files" onChoose={onChoose} isFolder={false} isMain />
        <FileButton label="Choose a folder" onChoose={onChoose} isFolder />
      </div>
      <p className={styles.muted} role="status">
        {isPreparing
          ? "Checking the files …"
          : "A folder of pictures becomes one photo set. Everything starts as a draft."}
      </p>
    </section>
  );
}

interface FileButtonProps {
  label: string;
  isFolder: boolean;
  isMain?: boolean;
  onChoose: (given: Given) => void;
}

function FileButton({ label, isFolder, isMain = false, onChoose }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant={isMain ? "filled" : "default"} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={label}
        {...(isFolder ? { webkitdirectory: "" } : {})}
        onChange={({ currentTarget }) => {
          onChoose(pickedFiles(currentTarget.files ?? new DataTransfer().files));
          // The same files may be chosen again.
          currentTarget.value = "";
        }}
      />
    </>
  );
}
