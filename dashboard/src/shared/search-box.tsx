import { ActionIcon, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { t } from '../languages/translate.ts';
import { Icon } from './icons.tsx';

interface SearchBoxProps {
  value: string | undefined;
  onSearch: (text: string | undefined) => void;
  label: string;
  placeholder?: string;
}

/** Searches while the user types, after a short pause. */
export function SearchBox({ value, onSearch, label, placeholder = label }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback((text: string) => onSearch(text.trim() === '' ? undefined : text.trim()), 300);
  // Back and Forward change the value, too.
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = value ?? '';
  }, [value]);
  const clear = () => {
    if (input.current) input.current.value = '';
    onSearch(undefined);
    input.current?.focus();
  };
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      defaultValue={value}
      onChange={(event) => search(event.currentTarget.value)}
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        value !== undefined && (
          <ActionIcon variant="subtle" color="gray" size="sm" onClick={clear} aria-label={t('Clear search')}>
            <Icon name="close" size={14} />
          </ActionIcon>
        )
      }
      w={{ base: '100%', sm: 380 }}
    />
  );
}
