import { Button, Stack, TextInput } from "@mantine/core";
import { type DragEvent, useEffect, useRef, useState } from "react";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { Tick } from "#app/ui/forms/field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import files from "./files.module.css";
import styles from "./item.module.css";
import { PhotoPages, type ShownPages } from "./photo-pages.tsx";
import { type EditedSection, SectionForm } from "./section-form.tsx";

interface OrderFields {
  photos: { id: string; position: string; isLeftOut: boolean }[];
}

interface OrderSectionProps extends EditedSection<OrderFields> {
  pictures: Record<string, { position: number; picture: PictureView | null }>;
  first: number;
  total: number;
  pages: ShownPages;
}

export function OrderSection({ pictures, first, total, pages, ...section }: OrderSectionProps) {
  const { errors } = section;
  return (
    <FormSection
      id="order"
      title="Order of photos"
      about={
        <Stack gap="sm">
          <p>
            Give a photo a new number to move it there, even to another page. The others close the gap. Two
            photos with the same number keep their order. A number above {total} means the end.
          </p>
          <p>
            Leaving a photo out does not delete it. Visitors no longer see it, but a cover made from it stays.
          </p>
        </Stack>
      }
      done={section.isSaved ? "The order is saved." : undefined}
    >
      <FormError id="order-form">{errors.form}</FormError>
      <SectionForm name="order" {...section}>
        {({ photos }) => <Rows photos={photos} pictures={pictures} first={first} errors={errors} />}
      </SectionForm>
      <PhotoPages pages={pages} name="Pages of photos in order" />
    </FormSection>
  );
}

const NUMBER_ID = "order-";

type RowsProps = OrderFields & Pick<OrderSectionProps, "pictures" | "first" | "errors">;

/** Moving a row renumbers the rows of the page, except those that somebody typed. */
function Rows({ photos, pictures, first, errors }: RowsProps) {
  const list = useRef<HTMLOListElement>(null);
  /** By the photo's id. */
  const untyped = useRef(new Map(Object.entries(pictures).map(([id, { position }]) => [id, position])));
  const [order, setOrder] = useState(() => photos.map((_, index) => index));
  const [moved, setMoved] = useState<{ id: string; button: "up" | "down" | null; at: number } | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);

  useEffect(() => {
    if (moved === null || list.current === null) return;
    for (const [index, input] of numbersIn(list.current).entries()) {
      const id = input.id.slice(NUMBER_ID.length);
      const isTyped = input.value !== String(untyped.current.get(id));
      if (isTyped && id !== moved.id) continue;
      input.value = String(first + index);
      untyped.current.set(id, first + index);
    }
    list.current.dispatchEvent(new Event("input", { bubbles: true }));
    // A moved row loses the focus.
    if (moved.button !== null) document.getElementById(`order-${moved.button}-${moved.id}`)?.focus();
  }, [moved, first]);

  const move = (from: number, to: number, button: "up" | "down" | null) => {
    if (from === to || to < 0 || to >= order.length) return;
    const next = [...order];
    const [row] = next.splice(from, 1);
    if (row === undefined) return;
    next.splice(to, 0, row);
    setOrder(next);
    setMoved({ id: photos[row]?.id ?? "", button, at: first + to });
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
      <ol className={files.arranged} ref={list}>
        {order.map((row, index) => {
          const photo = photos[row];
          if (photo === undefined) return null;
          const { id, position, isLeftOut } = photo;
          const shown = pictures[id];
          const name = `photo ${shown?.position ?? ""}`;
          return (
            <li
              key={id}
              className={files.arrangedPhoto}
              data-dragged={dragged === index || undefined}
              data-over={(over === index && dragged !== null) || undefined}
              {...rowEvents(index)}
            >
              {shown?.picture ? <Picture picture={shown.picture} sizes="4rem" /> : <span />}
              <TextInput
                id={`${NUMBER_ID}${id}`}
                name="position"
                aria-label={`Number of ${name}`}
                defaultValue={position}
                error={errors[`position-${id}`]}
                inputMode="numeric"
                autoComplete="off"
                maxLength={6}
                size="md"
              />
              <input type="hidden" name="photo" value={id} />
              <div className={files.moves}>
                <Tick name="leftOut" value={id} defaultChecked={isLeftOut}>
                  Leave out <VisuallyHidden>{name}</VisuallyHidden>
                </Tick>
                <span className={`${files.moves} ${styles.needsScript}`}>
                  {(["up", "down"] as const).map((way) => (
                    <Button
                      key={way}
                      id={`order-${way}-${id}`}
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
                      const item = event.currentTarget.closest("li");
                      if (item) event.dataTransfer.setDragImage(item, 0, 0);
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

function numbersIn(list: HTMLOListElement): HTMLInputElement[] {
  return [...list.querySelectorAll<HTMLInputElement>("input[name=position]")];
}
