import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { headwater, useSession } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { useForm } from '../shared/use-form.ts';

/** Deletes the account, after a reminder to export its data. */
export function DeleteAccount() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card title="Delete account">
      <Text size="sm" c="dimmed">
        Erases all content, files, analytics and settings of this account, and ends the access of its members and API
        keys. This cannot be undone.
      </Text>
      <Group>
        <Button variant="light" color="red" onClick={() => setIsOpen(true)}>
          Delete account
        </Button>
      </Group>
      {isOpen && <DeleteDialog onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { account } = useSession();
  const form = useForm({
    initial: { name: '', currentPassword: '' },
    isValid: ({ name, currentPassword }) => name.trim() === account.name && currentPassword !== '',
    save: (body) => headwater.deleteAccount(body),
    // A reload drops all cached data of the account.
    onSaved: () => window.location.assign('/'),
  });
  return (
    <FormDialog form={form} title={`Delete ${account.name}?`} submit="Delete account" onClose={onClose}>
      <Stack gap={4}>
        <Text size="sm">Export what you need first. Exports are erased as well, so download the files.</Text>
        <Group gap="md">
          <TextLink to="/exports">Export analytics</TextLink>
          <TextLink to="/content">Export content</TextLink>
          <TextLink to="/files">Files</TextLink>
        </Group>
      </Stack>
      <TextInput
        label="Account name"
        description={`Enter "${account.name}" to confirm.`}
        autoComplete="off"
        {...form.text('name')}
      />
      <PasswordInput label="Password" autoComplete="current-password" {...form.text('currentPassword')} />
    </FormDialog>
  );
}
