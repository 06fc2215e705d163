import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../service/session.ts';
import { CreateKeyDialog } from '../settings/create-key-dialog.tsx';
import { KEY_TYPES } from '../settings/key-types.ts';

interface KeyInputProps {
  type: 'publishable' | 'postback' | 'secret';
  label: string;
  description: string;
  value: string;
  onChange: (key: string) => void;
  error?: string;
}

/** A secret key is shown only once: paste a saved one, or create another. */
export function KeyInput({ type, label, description, value, onChange, error }: KeyInputProps) {
  const { account } = useSession();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <div>
      <TextInput
        label={label}
        description={description}
        placeholder={`${KEY_TYPES[type].prefix}…`}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
        error={error}
        rightSectionWidth={104}
        rightSection={
          account.role === 'owner' && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => setIsCreating(true)}
              aria-label={`Create ${label.toLowerCase()}`}
            >
              Create
            </Button>
          )
        }
      />
      {isCreating && (
        <CreateKeyDialog type={type} onClose={() => setIsCreating(false)} onCreated={({ token }) => onChange(token)} />
      )}
    </div>
  );
}
