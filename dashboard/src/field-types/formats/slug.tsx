import { Select, TextInput } from '@mantine/core';
import { apiIdOf } from '../../content/schema-draft.ts';
import { t } from '../../languages/translate.ts';
import { defineFieldType, inputProps } from '../definition.ts';

export const slug = defineFieldType<string>({
  label: 'Slug',
  isSortable: true,
  isEditableInTable: true,
  isNestable: false,
  hasDefault: false,
  Input: (props) => (
    <TextInput
      {...inputProps(props)}
      spellCheck={false}
      placeholder={'slugSource' in props.field && props.field.slugSource ? t('Created when you save') : 'summer-sale'}
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value.trim() || undefined)}
    />
  ),
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
