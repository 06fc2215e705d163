import type { CreatedApiKey } from '@headwater/sdk';
import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { DAY } from '../../../server/src/shared/units.ts';
import { inSentence, t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { SecretDialog } from '../shared/dialogs.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useForm } from '../shared/use-form.ts';
import { useRoles } from '../users/use-roles.ts';
import { KEY_TYPES, type KeyType } from './key-types.ts';

export const refreshKeys = () => queryClient.invalidateQueries({ queryKey: ['keys'] });

interface CreateKeyDialogProps {
  onClose: () => void;
  onCreated?: (key: CreatedApiKey) => void;
  /** The only type on offer. */
  type?: KeyType;
}

export const EVERYTHING = { value: 'all', label: t('Everything') };
export const PERIODS = [
  { value: 'never', label: t('Never') },
  { value: '30', label: t('In 30 days') },
  { value: '90', label: t('In 90 days') },
  { value: '365', label: t('In a year') },
];

/** @param days one of `PERIODS` */
export const endIn = (days: string) =>
  days === 'never' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY).toISOString() };

/** Creates a key and shows it once. */
export function CreateKeyDialog({ onClose, onCreated, type: only }: CreateKeyDialogProps) {
  // No token can have the role of owners.
  const roles = [EVERYTHING, ...useRoles().options.filter(({ value }) => value !== 'owner')];
  const form = useForm({
    initial: {
      name: only ? KEY_TYPES[only].example : '',
      type: only ?? ('secret' as KeyType),
      roleId: 'all',
      days: 'never',
      addresses: '',
    },
    isValid: ({ name }) => name.trim() !== '',
    save: ({ name, type, roleId, days, addresses }) => {
      const allowed = addresses.split(/[\s,]+/).filter(Boolean);
      return headwater.createKey({
        name: name.trim(),
        type,
        ...(type === 'secret' && roleId !== 'all' && { roleId }),
        ...endIn(days),
        ...(type !== 'publishable' && allowed.length > 0 && { allowedAddresses: allowed }),
      });
    },
    onSaved: (created) => {
      void refreshKeys();
      onCreated?.(created);
    },
  });
  if (form.result) {
    return (
      <SecretDialog
        title={t('{name} created', { name: form.result.name })}
        label={t('New key')}
        secret={form.result.token}
        onClose={onClose}
      >
        {t('Copy the key now. It is stored as a hash and cannot be shown again.')}
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={only ? t('Create {name}', { name: inSentence(KEY_TYPES[only].label) }) : t('Create key')}
      submit={t('Create key')}
      size="lg"
      onClose={onClose}
    >
      {!only && (
        <Radio.Group label={t('Type')} {...form.input('type')}>
          <Stack gap="xs" mt={4}>
            {Object.entries(KEY_TYPES).map(([value, { label, description }]) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <TextInput
        label={t('Name')}
        description={t('Where the key is used, so that you know what stops when you revoke it')}
        placeholder={KEY_TYPES[form.values.type].example}
        required
        {...form.text('name')}
        data-autofocus
      />
      {form.values.type === 'secret' && (
        <Select label={t('May do')} allowDeselect={false} data={roles} {...form.input('roleId')} />
      )}
      <Select label={t('Ends')} allowDeselect={false} data={PERIODS} {...form.input('days')} />
      {form.values.type !== 'publishable' && (
        <TextInput
          label={t('Allowed addresses')}
          description={t('IP addresses and ranges, such as 192.0.2.0/24, separated by spaces. Empty: from anywhere')}
          {...form.text('addresses')}
        />
      )}
    </FormDialog>
  );
}
