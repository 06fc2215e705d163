import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { inSentence, t } from '../languages/translate.ts';
import { CreateKeyDialog } from '../settings/create-key-dialog.tsx';
import { KEY_TYPES } from '../settings/key-types.ts';
import { useMayWrite } from '../users/rights.ts';

interface KeyInputProps {
  type: 'publishable' | 'postback' | 'secret';
  label: string;
  description: string;
  value: string;
  onChange: (key: string) => void;
  error?: string;
  /** There is one already, so that none has to be created. */
  isKnown?: boolean;
}

/** A secret key is shown only once: paste a saved one, or create another. */
export function KeyInput({ type, label, description, value, onChange, error, isKnown = false }: KeyInputProps) {
  const mayCreate = useMayWrite('members');
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
          mayCreate &&
          !isKnown && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => setIsCreating(true)}
              aria-label={t('Create {name}', { name: inSentence(label) })}
            >
              {t('Create')}
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
