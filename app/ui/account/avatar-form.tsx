import { Avatar, Button, Group, Stack } from "@mantine/core";
import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { PictureField, UPLOADED_PICTURE } from "#app/ui/forms/picture-field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import "#app/ui/theme/mantine.css";

export const AVATAR_FIELD_ID = "avatar";
const SHOWN_PIXELS = 96;

interface AvatarFormProps {
  avatarUrl: string | null;
  initials: string;
  error: string | undefined;
}

export function AvatarForm({ avatarUrl, initials, error }: AvatarFormProps) {
  return (
    <>
      <Group gap="lg">
        <Avatar src={avatarUrl} alt="Your picture" size={SHOWN_PIXELS} aria-hidden={avatarUrl === null}>
          {initials}
        </Avatar>
        {avatarUrl !== null && (
          <Form method="post" action={paths.accountAction("avatar-removal")} preventScrollReset>
            <Button type="submit" variant="default">
              Remove picture
            </Button>
          </Form>
        )}
      </Group>
      <Form method="post" action={paths.account()} encType="multipart/form-data" preventScrollReset>
        <Stack gap="lg">
          <PictureField
            id={AVATAR_FIELD_ID}
            name="avatar"
            isThere={avatarUrl !== null}
            description={`${UPLOADED_PICTURE}. We crop it to a square.`}
            error={error}
          />
          <SubmitButton variant="default" isOurs={(sent) => sent.has("avatar")} busyLabel="Uploading …">
            Upload picture
          </SubmitButton>
        </Stack>
      </Form>
    </>
  );
}
