import type { DestinationPlatform } from '@headwater/sdk';
import { Select, Textarea, TextInput } from '@mantine/core';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';

interface CredentialInputProps {
  field: Pick<
    DestinationPlatform['credentials'][number],
    'name' | 'label' | 'description' | 'isSecret' | 'isRequired' | 'pattern' | 'example'
  >;
  /** A secret that is stored already. */
  isKept: boolean;
  /** Where else the value comes from, if it is not entered. */
  source?: string | undefined;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A credential of a platform, or one of the few values that it can have. */
export function CredentialInput({ field, isKept, source, value, error, onChange }: CredentialInputProps) {
  const { name, label, description, isSecret, isRequired, pattern, example } = field;
  const shown = {
    ...{ label: serviceText(label), description: serviceText(description), error },
    required: isRequired && !isKept && source === undefined,
  };
  if (/^\w+(\|\w+)+$/.test(pattern)) {
    return (
      <Select
        {...shown}
        data={pattern.split('|')}
        value={value || null}
        onChange={(next) => onChange(next ?? '')}
        clearable={!isRequired}
      />
    );
  }
  const Input = isSecret && /key|template/i.test(name) ? Textarea : TextInput;
  return (
    <Input
      {...shown}
      value={value}
      placeholder={isKept ? t('Unchanged') : (source ?? example)}
      autoComplete="off"
      spellCheck={false}
      onChange={(event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)}
    />
  );
}
