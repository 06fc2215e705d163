import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { formatInputNumber, parseDecimal } from './locale.ts';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  /** A text is one that could not be read as a number. */
  value: number | string | undefined;
  /** Receives an unreadable text unchanged, so that it is neither lost nor saved as another number. */
  onChange: (value: number | string | undefined) => void;
}

const textOf = (value: number | string | undefined) =>
  typeof value === 'number' ? formatInputNumber(value) : (value ?? '');

function readNumber(text: string): number | string | undefined {
  if (text.trim() === '') return undefined;
  const decimal = parseDecimal(text);
  return decimal === undefined ? text : Number(decimal);
}

/** An input of a number in the notation of the browser's locale. */
export function NumberField({ value, onChange, error, ...rest }: NumberFieldProps) {
  const [text, setText] = useState(() => textOf(value));
  const [isFocused, setIsFocused] = useState(false);
  // A focused input keeps the text as typed.
  const shown = isFocused || readNumber(text) === value ? text : textOf(value);
  const isUnreadable = !isFocused && typeof value === 'string';
  return (
    <TextInput
      inputMode="decimal"
      {...rest}
      value={shown}
      error={isUnreadable ? t('The number is unreadable. Use {value}.', { value: formatInputNumber(1234.5) }) : error}
      onFocus={() => {
        setText(shown);
        setIsFocused(true);
      }}
      onBlur={() => setIsFocused(false)}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(readNumber(event.currentTarget.value));
      }}
    />
  );
}
