import { Alert, Button, NativeSelect, Stack } from "@mantine/core";
import { Form } from "@remix-run/react";
import { count } from "#app/counts.ts";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { MAX_MEGAPIXELS } from "#app/file-limits.ts";
import type { RequestedCode } from "#app/ui/forms/code-field.tsx";
import { FileField } from "#app/ui/forms/file-field.tsx";
import { PICTURE_FORMATS } from "#app/ui/forms/picture-field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { TypedForm } from "../typed-form.tsx";
import files from "./files.module.css";
import { FormCode } from "./form-code.tsx";
import styles from "./item.module.css";

interface PhotoFilesSectionProps {
  action: string;
  photos: { id: string; position: number }[];
  /** By the photo's id. */
  versions: Record<string, number>;
  answer:
    | {
        step: "add" | "replace";
        added: number;
        refused: { name: string; sentence: string }[];
        error: string | null;
        photo: string;
      }
    | undefined;
  code: RequestedCode | null;
  hasOutbox: boolean;
  isSaved: boolean;
  limits: { all: string; photos: number };
}

const TAKES = `${PICTURE_FORMATS}, up to ${MAX_MEGAPIXELS} megapixels`;

export function PhotoFilesSection(props: PhotoFilesSectionProps) {
  const { action, photos, versions, answer, code, hasOutbox, isSaved, limits } = props;
  const problemOf = (step: "add" | "replace") =>
    answer?.step === step ? (answer.error ?? undefined) : undefined;
  const codeOf = (step: "add" | "replace") => (answer?.step === step ? code : null);
  return (
    <FormSection
      id="photoFiles"
      title="Add and replace photos"
      about={
        <p>
          The site imports the photos: it makes all sizes, removes location and camera data, and keeps the
          originals if it is set to keep them.
        </p>
      }
      done={isSaved ? "The photos are imported. Check their alternative texts." : undefined}
    >
      <FileResults answer={answer} />
      <TypedForm method="post" action={`${action}#photoFiles`} encType="multipart/form-data">
        <input type="hidden" name="section" value="photoFiles" />
        {codeOf("add") === null && <input type="hidden" name="intent" value="add" />}
        <Stack gap="md">
          <FileField
            id="photoFiles-add"
            name="photos"
            label="New photos"
            accept="image/*"
            multiple
            description={`${TAKES}. Up to ${limits.photos} files and ${limits.all} at a time, uploaded within two minutes. They go to the end, in the order of the files.`}
            error={problemOf("add")}
          />
          <FormCode code={codeOf("add")} intent="add" hasOutbox={hasOutbox} />
          <div>
            <SubmitButton variant="default" isOurs={isStep("add")} busyLabel="Importing …">
              Add photos
            </SubmitButton>
          </div>
        </Stack>
      </TypedForm>
      <TypedForm method="post" action={`${action}#photoFiles`} encType="multipart/form-data">
        <input type="hidden" name="section" value="photoFiles" />
        <input type="hidden" name="opened" value={JSON.stringify(versions)} />
        {codeOf("replace") === null && <input type="hidden" name="intent" value="replace" />}
        <Stack gap="md">
          <NativeSelect
            name="photo"
            label="Replace a photo of this page"
            description="It keeps its number, its address and its alternative text."
            inputWrapperOrder={["label", "input", "error", "description"]}
            defaultValue={answer?.photo}
            size="md"
            className={files.short}
          >
            {photos.map(({ id, position }) => (
              <option key={id} value={id}>
                Photo {position}
              </option>
            ))}
          </NativeSelect>
          <FileField
            id="photoFiles-replace"
            name="photos"
            label="New picture"
            accept="image/*"
            description={`${TAKES} and ${limits.all}.`}
            error={problemOf("replace")}
          />
          <FormCode code={codeOf("replace")} intent="replace" hasOutbox={hasOutbox} />
          <div>
            <SubmitButton variant="default" isOurs={isStep("replace")} busyLabel="Importing …">
              Replace the photo
            </SubmitButton>
          </div>
        </Stack>
      </TypedForm>
    </FormSection>
  );
}

function isStep(step: string) {
  return (sent: FormData) => sent.get("section") === "photoFiles" && sent.get("intent") === step;
}

/** One refused file does not stop the others. */
function FileResults({ answer }: Pick<PhotoFilesSectionProps, "answer">) {
  if (answer === undefined || answer.refused.length === 0) return null;
  return (
    <Alert color="red" role="alert">
      <div className={files.refused}>
        <p>
          <strong>
            {answer.added > 0
              ? `${count(answer.added, "photo")} imported, ${answer.refused.length} not:`
              : "No photo was imported:"}
          </strong>
        </p>
        <ul>
          {answer.refused.map(({ name, sentence }, index) => (
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

interface LeftOutSectionProps {
  action: string;
  photos: { id: string; number: number; picture: PictureView | null }[];
  answer: string | undefined;
  code: RequestedCode | null;
  hasOutbox: boolean;
  isSaved: boolean;
}

export function LeftOutSection({ action, photos, answer, code, hasOutbox, isSaved }: LeftOutSectionProps) {
  return (
    <FormSection
      id="leftOut"
      title="Left-out photos"
      about={
        <p>
          Only staff can see them. If you bring one back, it goes after the photos that were added before it.
        </p>
      }
      done={isSaved ? "The photo is back in the set." : undefined}
    >
      {photos.length === 0 ? (
        <p className={styles.muted}>None.</p>
      ) : (
        <ul className={files.leftOut}>
          {photos.map(({ id, picture }) => (
            <li key={id}>
              {picture && <Picture picture={picture} sizes="9rem" />}
              <Form method="post" action={action}>
                <input type="hidden" name="section" value="leftOut" />
                <input type="hidden" name="photo" value={id} />
                <FormCode code={answer === id ? code : null} intent="bringBack" hasOutbox={hasOutbox} />
                <Button type="submit" variant="default" size="compact-md">
                  Bring this photo back
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      )}
    </FormSection>
  );
}
