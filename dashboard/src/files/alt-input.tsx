import type { AssetValue } from '@headwater/sdk';
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { invalidateFiles } from './queries.ts';

interface AltInputProps {
  asset: AssetValue;
  onSaved?: (alt: string) => void;
}

/** Asks for the alt text of an image that has none, and stores it with the file when the field is left. */
export function AltInput({ asset: { assetId, name }, onSaved }: AltInputProps) {
  const [alt, setAlt] = useState('');
  const save = useMutation({
    meta: { shown: true },
    mutationFn: (text: string) => headwater.updateFile({ assetId }, { alt: text }),
    onSuccess: (_, text) => {
      void invalidateFiles();
      onSaved?.(text);
    },
  });
  const submit = () => {
    const text = alt.trim();
    if (text !== '' && text !== save.variables) save.mutate(text);
  };
  return (
    <TextInput
      size="xs"
      aria-label={name ? t('Alt text of {name}', { name }) : t('Alt text of the image')}
      placeholder={t('Alt text: describes the image for people who cannot see it')}
      description={save.isSuccess ? t('Saved.') : undefined}
      dir="auto"
      value={alt}
      onChange={(event) => setAlt(event.currentTarget.value)}
      onBlur={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        // The form around it is another one.
        event.preventDefault();
        submit();
      }}
      error={save.error ? errorMessage(save.error).detail : undefined}
    />
  );
}

export const needsAlt = ({ type, alt }: AssetValue): boolean => type === 'image' && !alt;
