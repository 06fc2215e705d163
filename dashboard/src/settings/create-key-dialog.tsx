import type { CreatedApiKey } from '@headwater/sdk';
import { Radio, Stack, TextInput } from '@mantine/core';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { SecretDialog } from '../shared/dialogs.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useForm } from '../shared/use-form.ts';
import { KEY_TYPES, type KeyType } from './key-types.ts';

export const refreshKeys = () => queryClient.invalidateQueries({ queryKey: ['keys'] });

interface CreateKeyDialogProps {
  onClose: () => void;
  onCreated?: (key: CreatedApiKey) => void;
  /** The only type on offer. */
  type?: KeyType;
}

/** Creates a key and shows it once. */
export function CreateKeyDialog({ onClose, onCreated, type: only }: CreateKeyDialogProps) {
  const form = useForm({
    initial: { name: only ? KEY_TYPES[only].example : '', type: only ?? ('secret' as KeyType) },
    isValid: ({ name }) => name.trim() !== '',
    save: ({ name, type }) => headwater.createKey({ name: name.trim(), type }),
    onSaved: (created) => {
      void refreshKeys();
      onCreated?.(created);
    },
  });
  if (form.result) {
    return (
      <SecretDialog title={`${form.result.name} created`} label="New key" secret={form.result.token} onClose={onClose}>
        Copy the key now. It is stored as a hash and cannot be shown again.
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={only ? `Create ${KEY_TYPES[only].label.toLowerCase()}` : 'Create key'}
      submit="Create key"
      size="lg"
      onClose={onClose}
    >
      {!only && (
        <Radio.Group label="Type" {...form.input('type')}>
          <Stack gap="xs" mt={4}>
            {Object.entries(KEY_TYPES).map(([value, { label, description }]) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <TextInput
        label="Name"
        description="Where the key is used, so that you know what stops when you revoke it"
        placeholder={KEY_TYPES[form.values.type].example}
        required
        {...form.text('name')}
        data-autofocus
      />
    </FormDialog>
  );
}
