import { Alert, Stack } from "@mantine/core";
import { Form } from "@remix-run/react";
import { count } from "#app/counts.ts";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { MAX_MEGAPIXELS } from "#app/file-limits.ts";
import { FileField } from "#app/ui/forms/file-field.tsx";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { PICTURE_FORMATS } from "#app/ui/forms/picture-field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import "#app/ui/theme/mantine.css";
import type { PhotoFilesAnswer } from "#app/web/forms/photos-form.server.ts";
import type { FormGroupAnswer } from "#app/web/studio/form-group.server.ts";
import { type OpenedPart, PartForm, rowsOf, useSaves } from "../part-form.tsx";
import { SignedOutNote, useIsSignedOut } from "../signed-out.tsx";
import { TypedForm } from "../typed-form.tsx";
import files from "./files.module.css";
import { FormGroup } from "./form-group.tsx";
import styles from "./item.module.css";
import { PhotoPages, type ShownPages } from "./photo-pages.tsx";
import { type PhotoFields, PhotoRows } from "./photo-rows.tsx";

interface PhotosPartProps {
  action: string;
  values: PhotoFields;
  form: OpenedPart;
  /** By the photo's id. `version`: of its files. */
  pictures: Record<string, { picture: PictureView | null; version: number }>;
  leftOut: { id: string; picture: PictureView | null }[];
  described: number;
  total: number;
  pages: ShownPages;
  answer: FormGroupAnswer<PhotoFilesAnswer> | undefined;
  /** `alt`: in characters; `all`: the size of all files; `files`: how many at a time. */
  limits: { alt: number; all: string; files: number };
}

const TAKES = `${PICTURE_FORMATS}, up to ${MAX_MEGAPIXELS} megapixels`;

export function PhotosPart({ action, values, form, pictures, leftOut, answer, ...props }: PhotosPartProps) {
  const { described, total, pages, limits } = props;
  const saves = useSaves(answer === undefined && form.isOfOthers === true);
  const sent = answer?.sent;
  const isSignedOut = useIsSignedOut();
  const isEmpty = total === 0;
  const problemOf = (photo: string | null) => (sent?.photo === photo ? (sent.error ?? undefined) : undefined);
  return (
    <div className={styles.page}>
      {isEmpty && leftOut.length === 0 ? (
        <FormSection id="photos" title="Photos" about={<p>No photos yet.</p>} isAlone>
          {null}
        </FormSection>
      ) : (
        <PartForm
          // Other photos on the page reset the fields.
          key={[...values.photo, ...leftOut.map(({ id }) => id)].toSorted().join(" ")}
          id="photos"
          title="Photos"
          about={
            isEmpty ? (
              <p>No photos yet.</p>
            ) : (
              <Stack gap="sm">
                <div className={styles.meter}>
                  <p id="described">
                    {described} of {total} photos have an alternative text, which describes them to people who
                    cannot see them.
                  </p>
                  <meter aria-labelledby="described" min={0} max={total} value={described} />
                </div>
                <p>
                  To move a photo, give it a new number, even one on another page. A number above {total}{" "}
                  moves it to the end. Photos that you leave out are not deleted: they move to the end of this
                  list, where only staff can see them. A cover made from one stays.
                </p>
              </Stack>
            )
          }
          values={values}
          form={form}
        >
          {(fields) => (
            <>
              <PhotoRows
                fields={fields}
                pictures={pictures}
                maxLength={limits.alt}
                replace={(id, name) => (
                  <details
                    key={pictures[id]?.version}
                    open={problemOf(id) !== undefined}
                    className={files.details}
                  >
                    <summary>Replace {name}</summary>
                    <Stack gap="md">
                      <FileField
                        form={`replace-${id}`}
                        data-unsaved="never"
                        id={`replace-file-${id}`}
                        name="photos"
                        label="New picture"
                        accept="image/*"
                        description={`${TAKES} and ${limits.all}. The photo keeps its number, its address and its alternative text.`}
                        error={problemOf(id)}
                      />
                      {isSignedOut && <SignedOutNote />}
                      <div>
                        <SubmitButton
                          form={`replace-${id}`}
                          variant="default"
                          busyLabel="Importing …"
                          isOurs={(data) => data.get("intent") === "replace" && data.get("photo") === id}
                        >
                          Replace the photo
                        </SubmitButton>
                      </div>
                    </Stack>
                  </details>
                )}
              />
              {leftOut.length > 0 && (
                <fieldset className={files.fieldset}>
                  <legend className={styles.legend}>Left-out photos</legend>
                  <Stack gap="md">
                    <p className={styles.muted}>
                      If you bring one back, it goes after the photos that were added before it.
                    </p>
                    <div className={files.choices}>
                      {leftOut.map(({ id, picture }) => (
                        <label key={id} className={files.choice}>
                          {picture && <Picture picture={picture} sizes="9rem" />}
                          <span>
                            <input
                              type="checkbox"
                              name={fields.bringBack.name}
                              value={id}
                              defaultChecked={rowsOf(fields.bringBack.initialValue).includes(id)}
                            />{" "}
                            Bring it back
                          </span>
                        </label>
                      ))}
                    </div>
                  </Stack>
                </fieldset>
              )}
              <PhotoPages pages={pages} name="Pages of photos" />
            </>
          )}
        </PartForm>
      )}
      {/* Forms do not nest, so the fields in the list above name these. */}
      {values.photo.map((id) => (
        <Form
          key={id}
          id={`replace-${id}`}
          method="post"
          action={`${action}#photo-${id}`}
          encType="multipart/form-data"
          onSubmit={(event) => isSignedOut && event.preventDefault()}
          hidden
        >
          <input type="hidden" name="intent" value="replace" />
          <input type="hidden" name="photo" value={id} />
          <input type="hidden" name="opened" value={pictures[id]?.version} />
        </Form>
      ))}
      <FormGroup
        id="add"
        title="Add photos"
        about={
          <p>
            The site makes all sizes, and removes location and camera data from them. It keeps the originals
            only if it is set up to.
          </p>
        }
        notice={null}
        answer={answer}
        refusals={({ photo, error }) =>
          error ? [{ at: photo === null ? "add-files" : `replace-file-${photo}`, sentence: error }] : []
        }
      >
        {sent && sent.refused.length > 0 && <RefusedFiles {...sent} />}
        <TypedForm key={saves} method="post" action={`${action}#add`} encType="multipart/form-data">
          <input type="hidden" name="intent" value="add" />
          <Stack gap="md">
            <FileField
              id="add-files"
              name="photos"
              label="New photos"
              accept="image/*"
              multiple
              description={`${TAKES}. Up to ${limits.files} files and ${limits.all} at a time, uploaded within two minutes. They go to the end, in the order of the files.`}
              error={problemOf(null)}
            />
            <div>
              <SubmitButton
                variant="default"
                busyLabel="Importing …"
                isOurs={(data) => data.get("intent") === "add"}
              >
                Add photos
              </SubmitButton>
            </div>
          </Stack>
        </TypedForm>
      </FormGroup>
    </div>
  );
}

function RefusedFiles({ added, refused }: Pick<PhotoFilesAnswer, "added" | "refused">) {
  return (
    <Alert color="red" role="alert">
      <div className={files.refused}>
        <p>
          <strong>
            {added > 0
              ? `${count(added, "photo")} imported, ${refused.length} not:`
              : "No photo was imported:"}
          </strong>
        </p>
        <ul>
          {refused.map(({ name, sentence }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name.
            <li key={index}>
              {name}: {sentence}
            </li>
          ))}
        </ul>
      </div>
    </Alert>
  );
}
