import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMadeSlug } from '../../content/made-slug.ts';
import { apiIdOf } from '../../content/schema-draft.ts';
import { t } from '../../languages/translate.ts';
import { defineFieldType, type FieldInputProps, inputProps } from '../definition.ts';

/** Without a value it shows the one that the service will make, until one is typed. */
function SlugInput(props: FieldInputProps<string>) {
  const { field, value, onChange } = props;
  const made = useMadeSlug(field);
  // What is made does not come back while somebody types another one.
  const [isTyping, setIsTyping] = useState(false);
  const isMade = value === undefined && !isTyping && made !== '';
  return (
    <TextInput
      {...inputProps(props)}
      spellCheck={false}
      placeholder={field.slugSource ? t('Created when you save') : 'summer-sale'}
      value={isMade ? made : (value ?? '')}
      onChange={(event) => {
        setIsTyping(true);
        onChange(event.currentTarget.value.trim() || undefined);
      }}
      onBlur={() => setIsTyping(false)}
      styles={isMade ? { input: { color: 'var(--mantine-color-dimmed)' } } : undefined}
    />
  );
}

export const slug = defineFieldType<string>({
  label: 'Slug',
  isSortable: true,
  isEditableInTable: true,
  isNestable: false,
  hasDefault: false,
  Input: SlugInput,
  format: (value) => value,
  filter: { operators: ['eq', 'contains', 'ne', 'exists'] },
  csv: { canMatch: true, formats: [] },
  settings: {
    Editor: ({ field, onChange, errors, pointer, siblings }) => (
      <Select
        label={t('Created from')}
        description={t('Entries without a slug get one from this field')}
        placeholder={t('Entered by hand')}
        clearable
        data={siblings
          .filter(({ type, format, repeated, status }) => {
            return type === 'text' && (format ?? 'markdown') === 'markdown' && !repeated && status === 'active';
          })
          .filter((each) => apiIdOf(each) !== '')
          .map((each) => ({ value: apiIdOf(each), label: each.label || apiIdOf(each) }))}
        value={field.slugSource ?? null}
        error={errors.get(`${pointer}/slugSource`)}
        onChange={(slugSource) => onChange({ ...field, slugSource: slugSource ?? undefined })}
      />
    ),
    toRequest: ({ slugSource, isNew }) => (isNew && !slugSource ? {} : { slugSource: slugSource ?? null }),
  },
});
