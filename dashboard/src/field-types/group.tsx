import { Box, Fieldset, Input, Stack, Text } from '@mantine/core';
import { Suspense } from 'react';
import { FoldedFields } from '../content/folded-fields.tsx';
import { t } from '../languages/translate.ts';
import { lazy } from '../shared/lazy.tsx';
import { defineFieldType } from './definition.ts';
import { isActive, nestedFieldsOf } from './fields.ts';
import { visibleFields } from './visible-when.ts';

const ComponentSelect = lazy(() => import('../content/component-select.tsx'));

type Values = Record<string, unknown>;

/** undefined when no value is left. */
function withValue(values: Values, id: string, value: unknown): Values | undefined {
  const { [id]: _, ...rest } = values;
  const changed = value === undefined ? rest : { ...rest, [id]: value };
  return Object.keys(changed).length === 0 ? undefined : changed;
}

export const group = defineFieldType<Values>({
  label: t('Group of fields'),
  isSortable: false,
  isEditableInTable: false,
  isNestable: true,
  hasDefault: false,
  Input({ field, label, value = {}, onChange, errors, pointer, FieldInput }) {
    const error = errors.get(pointer);
    return (
      <Fieldset legend={field.required ? `${label} *` : label} radius="md" variant="default">
        <Stack gap="sm">
          {field.helpText && (
            <Text size="xs" c="dimmed">
              {field.helpText}
            </Text>
          )}
          {visibleFields(nestedFieldsOf(field), value, ({ id }) => errors.has(`${pointer}/${id}`)).map((nested) => (
            <FieldInput
              key={nested.id}
              field={nested}
              value={value[nested.id]}
              onChange={(next) => onChange(withValue(value, nested.id, next))}
              errors={errors}
              pointer={`${pointer}/${nested.id}`}
            />
          ))}
          {error && <Input.Error>{error}</Input.Error>}
        </Stack>
      </Fieldset>
    );
  },
  emptyRow: {},
  format: (value, field, formatNested) =>
    nestedFieldsOf(field)
      .filter(isActive)
      .map((nested) => formatNested(nested, value[nested.id]))
      .filter(Boolean)
      .join(' · '),
  filter: { operators: ['exists'] },
  csv: { canMatch: false, formats: [] },
  settings: {
    Editor: ({ field, onChange, errors, pointer, FieldList }) => (
      <Box pl="sm" style={{ borderInlineStart: '2px solid var(--line)' }}>
        <Suspense>
          <ComponentSelect
            label={t('Fields of')}
            value={field.componentId}
            onChange={(componentId) => onChange({ ...field, componentId })}
            error={errors.get(`${pointer}/componentId`)}
          />
        </Suspense>
        {field.componentId === undefined && (
          <FoldedFields
            name={field.label}
            fields={field.fields}
            isNew={field.isNew}
            errors={errors}
            pointer={`${pointer}/fields`}
          >
            <FieldList
              fields={field.fields}
              onChange={(fields) => onChange({ ...field, fields })}
              errors={errors}
              pointer={`${pointer}/fields`}
              isNested
            />
          </FoldedFields>
        )}
      </Box>
    ),
    toRequest: ({ fields, componentId, repeated, rowIds, isNew }, nestedToRequest) => ({
      ...(componentId === undefined
        ? { fields: fields.map(nestedToRequest), ...(!isNew && { componentId: null }) }
        : { componentId }),
      ...(repeated && (!isNew || rowIds) && { rowIds }),
    }),
  },
});
