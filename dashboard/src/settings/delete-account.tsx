import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater, useSession } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { useForm } from '../shared/use-form.ts';

/** Deletes the account, after a reminder to export its data. */
export function DeleteAccount() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card title={t('Delete account')}>
      <Text size="sm" c="dimmed">
        {t(
          'Erases all content, files, analytics and settings of this account, and ends the access of its members and API keys. This cannot be undone.',
        )}
      </Text>
      <Group>
        <Button variant="light" color="red" onClick={() => setIsOpen(true)}>
          {t('Delete account')}
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
    <FormDialog
      form={form}
      title={t('Delete {name}?', { name: account.name })}
      submit={t('Delete account')}
      onClose={onClose}
    >
      <Stack gap={4}>
        <Text size="sm">{t('Export what you need first. Exports are erased as well, so download the files.')}</Text>
        <Group gap="md">
          <TextLink to="/exports">{t('Export analytics')}</TextLink>
          <TextLink to="/content">{t('Export content')}</TextLink>
          <TextLink to="/files">{t('Files')}</TextLink>
        </Group>
      </Stack>
      <TextInput
        label={t('Account name')}
        description={t('Enter "{name}" to confirm.', { name: account.name })}
        autoComplete="off"
        {...form.text('name')}
      />
      <PasswordInput label={t('Password')} autoComplete="current-password" {...form.text('currentPassword')} />
    </FormDialog>
  );
}
