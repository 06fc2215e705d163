import { parseExact } from '@headwater/sdk';
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../languages/translate.ts';
import { defineFieldType, type FieldInputProps, inputProps } from '../definition.ts';

const written = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, undefined, 2));

function JsonInput(props: FieldInputProps) {
  const { value, onChange } = props;
  const [text, setText] = useState(() => written(value));
  const [isInvalid, setIsInvalid] = useState(false);
  // Another value than the text has: it was reset, or another version was restored.
  const isForeign = !isInvalid && written(parse(text)) !== written(value);
  return (
    <Textarea
      {...inputProps(props)}
      autosize
      minRows={3}
      maxRows={24}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      value={isForeign ? written(value) : text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        const parsed = parse(next);
        setText(next);
        setIsInvalid(parsed === undefined && next.trim() !== '');
        if (parsed !== undefined || next.trim() === '') onChange(parsed ?? undefined);
      }}
      error={isInvalid ? t('This is not valid JSON. Fix it to save it.') : inputProps(props).error}
    />
  );
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

export const json = defineFieldType<unknown>({
  label: 'JSON',
  isSortable: false,
  isEditableInTable: false,
  isNestable: true,
  Input: JsonInput,
  format: (value) => JSON.stringify(value).slice(0, 200),
  filter: { operators: ['exists'] },
  csv: { canMatch: false, formats: [] },
});
