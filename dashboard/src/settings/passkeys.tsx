import type { Security } from '@headwater/sdk';
import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { browserSupportsWebAuthn, startRegistration } from '@simplewebauthn/browser';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { formatDate, formatRelativeTime } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';
import { refreshSecurity } from '../users/security.ts';

type Passkey = Security['passkeys'][number];

/** Passkeys sign in without a password, by the fingerprint, face or PIN of a device. */
export function Passkeys({ passkeys }: { passkeys: Passkey[] }) {
  const [isAdding, setIsAdding] = useState(false);
  const [deleting, setDeleting] = useState<Passkey>();
  const isSupported = browserSupportsWebAuthn();
  return (
    <Card title={t('Passkeys')}>
      <Text size="sm" c="dimmed">
        {t('Sign in without a password and code, by the fingerprint, face or PIN of your device.{isSupported}', {
          isSupported: !isSupported && ` ${t('This browser supports passkeys only over HTTPS.')}`,
        })}
      </Text>
      {passkeys.map((passkey) => (
        <Group key={passkey.id} justify="space-between" wrap="nowrap">
          <div>
            <Text size="sm" fw={550} dir="auto">
              {passkey.name}
            </Text>
            <Text size="xs" c="dimmed">
              {t('Created {createdAt} · {lastUsedAt}', {
                createdAt: formatDate(passkey.createdAt),
                lastUsedAt: passkey.lastUsedAt
                  ? t('used {lastUsedAt}', { lastUsedAt: formatRelativeTime(passkey.lastUsedAt) })
                  : t('not used yet'),
              })}
            </Text>
          </div>
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            onClick={() => setDeleting(passkey)}
            aria-label={t('Delete {name}', { name: passkey.name })}
          >
            {t('Delete')}
          </Button>
        </Group>
      ))}
      <Group>
        <Button variant="default" disabled={!isSupported} onClick={() => setIsAdding(true)}>
          {t('Add passkey')}
        </Button>
      </Group>
      {isAdding && <AddDialog onClose={() => setIsAdding(false)} />}
      {deleting && (
        <ConfirmDialog
          title={t('Delete {name}?', { name: deleting.name })}
          action={t('Delete passkey')}
          run={async () => {
            await headwater.deletePasskey({ passkeyId: deleting.id });
            await refreshSecurity();
            notify(t('Passkey deleted.'));
          }}
          onClose={() => setDeleting(undefined)}
        >
          {t('You can no longer sign in with it. Also delete it on the device.')}
        </ConfirmDialog>
      )}
    </Card>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: { name: t('This device'), currentPassword: '' },
    isValid: ({ name, currentPassword }) => name.trim() !== '' && currentPassword !== '',
    save: async ({ name, currentPassword }) => {
      const { options } = await headwater.getPasskeyOptions({ currentPassword });
      const credential = await startRegistration({ optionsJSON: options as never });
      return headwater.createPasskey({ name: name.trim(), credential: credential as never });
    },
    onSaved: () => {
      void refreshSecurity();
      notify(t('Passkey added.'));
      onClose();
    },
  });
  return (
    <FormDialog form={form} title={t('Add passkey')} submit={t('Continue')} onClose={onClose}>
      <TextInput label={t('Name')} description={t('To tell your passkeys apart')} dir="auto" {...form.text('name')} />
      <PasswordInput
        label={t('Password')}
        autoComplete="current-password"
        data-autofocus
        {...form.text('currentPassword')}
      />
    </FormDialog>
  );
}
