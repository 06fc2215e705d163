import { Autocomplete, Select } from '@mantine/core';
import { t } from '../languages/translate.ts';
import type { Action } from './funnel-state.ts';
import { type Range, useSeenNames } from './suggestions.ts';

interface NameInputProps {
  action: Action;
  /** From which pages and events are suggested. */
  range: Range;
  onChange: (action: Action) => void;
}

/** Chooses a page or an event, among those that were seen. */
export function NameInput({ action, range, onChange }: NameInputProps) {
  const { type, name } = action;
  const names = useSeenNames(type, name, range);
  return (
    <>
      <Select
        label={t('Step')}
        w={110}
        allowDeselect={false}
        data={[
          { value: 'page', label: t('Page') },
          { value: 'event', label: t('Event') },
        ]}
        value={type}
        onChange={(next) => onChange({ type: next as Action['type'], name: '' })}
      />
      <Autocomplete
        label={type === 'page' ? t('Path') : t('Event name')}
        placeholder={type === 'page' ? t('/cart, or /products/*') : 'signup'}
        data={names}
        // The service has found them.
        filter={({ options }) => options}
        value={name}
        onChange={(next) => onChange({ ...action, name: next })}
        flex={1}
        miw={180}
      />
    </>
  );
}
