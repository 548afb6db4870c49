import { Button, Textarea, TextInput } from "@mantine/core";
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { Tick } from "#app/ui/forms/field.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import "#app/ui/theme/mantine.css";
import { type PartFields, rowsOf } from "../part-form.tsx";
import files from "./files.module.css";
import styles from "./item.module.css";

/** The first four have a text for each listed photo, the others the ids of ticked ones. */
export type PhotoFields = Record<
  "photo" | "placed" | "position" | "alt" | "preview" | "leftOut" | "bringBack",
  string[]
>;

interface PhotoRowsProps {
  fields: PartFields<PhotoFields>;
  pictures: Record<string, { picture: PictureView | null }>;
  /** Of an alternative text. */
  maxLength: number;
  /** `name`: "photo 7". */
  replace(id: string, name: string): ReactNode;
}

/** Moving a row renumbers the rows of the page, except those that somebody typed. */
export function PhotoRows({ fields, pictures, maxLength, replace }: PhotoRowsProps) {
  const list = useRef<HTMLOListElement>(null);
  // Kept when the form comes back: what it sent is in the order of its rows at that time.
  const [opened] = useState(() => photosIn(fields));
  const [photos, setPhotos] = useState(opened);
  const [typed, setTyped] = useState(
    () =>
      new Map(opened.flatMap(({ id, placed, position }) => (position === placed ? [] : [[id, position]]))),
  );
  const [moved, setMoved] = useState<{ id: string; button: "up" | "down" | null; at: number } | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const first = Number(opened[0]?.placed);
  const sent = rowsOf(fields.photo.initialValue);
  const errorOf = (field: "position" | "alt", id: string) =>
    fields[field].allErrors[`${fields[field].name}[${sent.indexOf(id)}]`]?.[0];

  useEffect(() => {
    // A moved row loses the focus.
    if (moved?.button) document.getElementById(`photo-${moved.button}-${moved.id}`)?.focus();
  }, [moved]);

  const type = (id: string, text: string | null) => {
    const next = new Map(typed);
    if (text === null) next.delete(id);
    else next.set(id, text);
    setTyped(next);
  };
  const move = (from: number, to: number, button: "up" | "down" | null) => {
    if (from === to || to < 0 || to >= photos.length) return;
    const next = [...photos];
    const [photo] = next.splice(from, 1);
    if (photo === undefined) return;
    next.splice(to, 0, photo);
    setPhotos(next);
    type(photo.id, null);
    setMoved({ id: photo.id, button, at: first + to });
    list.current?.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const rowEvents = (index: number) => ({
    onDragOver: (event: DragEvent) => {
      if (dragged === null) return;
      event.preventDefault();
      setOver(index);
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      if (dragged !== null) move(dragged, index, null);
      setDragged(null);
      setOver(null);
    },
  });

  return (
    <>
      <ol className={files.photos} ref={list}>
        {photos.map(({ id, placed, alt, isPreview, isLeftOut }, index) => {
          const picture = pictures[id]?.picture;
          const name = `photo ${placed}`;
          return (
            <li
              key={id}
              id={`photo-${id}`}
              className={files.photo}
              data-dragged={dragged === index || undefined}
              data-over={(over === index && dragged !== null) || undefined}
              {...rowEvents(index)}
            >
              {picture ? <Picture picture={picture} sizes="8rem" /> : <span />}
              <div className={files.photoFields}>
                <input type="hidden" name={fields.photo.name} value={id} />
                <input type="hidden" name={fields.placed.name} value={placed} />
                <div className={files.moves}>
                  <TextInput
                    name={fields.position.name}
                    aria-label={`Number of ${name}`}
                    value={typed.get(id) ?? String(first + index)}
                    onChange={({ currentTarget: { value } }) =>
                      type(id, value === String(first + index) ? null : value)
                    }
                    error={errorOf("position", id)}
                    inputMode="numeric"
                    autoComplete="off"
                    maxLength={6}
                    size="md"
                    classNames={{ wrapper: files.number }}
                  />
                  <span className={`${files.moves} ${styles.needsScript}`}>
                    {(["up", "down"] as const).map((way) => (
                      <Button
                        key={way}
                        id={`photo-${way}-${id}`}
                        type="button"
                        variant="default"
                        size="compact-md"
                        onClick={() => move(index, index + (way === "up" ? -1 : 1), way)}
                      >
                        <span aria-hidden>{way === "up" ? "↑" : "↓"}</span>
                        <VisuallyHidden>{`Move ${name} ${way}`}</VisuallyHidden>
                      </Button>
                    ))}
                    {/* For a mouse alone: the buttons do the same for everybody. */}
                    <span
                      aria-hidden
                      draggable
                      className={files.handle}
                      title="Drag to another position"
                      onDragStart={(event) => {
                        const row = event.currentTarget.closest("li");
                        if (row) event.dataTransfer.setDragImage(row, 0, 0);
                        event.dataTransfer.setData("text/plain", id);
                        setDragged(index);
                      }}
                      onDragEnd={() => {
                        setDragged(null);
                        setOver(null);
                      }}
                    >
                      ⠿
                    </span>
                  </span>
                  <Tick name={fields.preview.name} value={id} defaultChecked={isPreview}>
                    Free preview <VisuallyHidden>of {name}</VisuallyHidden>
                  </Tick>
                  <Tick name={fields.leftOut.name} value={id} defaultChecked={isLeftOut}>
                    Leave out <VisuallyHidden>{name}</VisuallyHidden>
                  </Tick>
                </div>
                <Textarea
                  name={fields.alt.name}
                  label={`Photo ${placed}, alternative text`}
                  defaultValue={alt}
                  maxLength={maxLength}
                  rows={2}
                  error={errorOf("alt", id)}
                  size="md"
                />
                {replace(id, name)}
              </div>
            </li>
          );
        })}
      </ol>
      <VisuallyHidden>
        <span role="status">{moved === null ? "" : `The photo is now number ${moved.at}.`}</span>
      </VisuallyHidden>
    </>
  );
}

function photosIn(fields: PartFields<PhotoFields>) {
  const [placed, position, alt] = [fields.placed, fields.position, fields.alt].map(({ initialValue }) =>
    rowsOf(initialValue),
  );
  const [previews, leftOut] = [rowsOf(fields.preview.initialValue), rowsOf(fields.leftOut.initialValue)];
  return rowsOf(fields.photo.initialValue).map((photo, index) => ({
    id: photo,
    placed: placed?.[index] ?? "",
    position: position?.[index] ?? "",
    alt: alt?.[index] ?? "",
    isPreview: previews.includes(photo),
    isLeftOut: leftOut.includes(photo),
  }));
}
