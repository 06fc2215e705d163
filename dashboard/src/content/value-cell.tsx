import { Text } from '@mantine/core';
import { type AnyField, fieldTypeOf, formatValue, isRepeated } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';

interface ValueCellProps {
  field: AnyField;
  value: unknown;
  /** Inside a button, where a link is not allowed. */
  isInteractive?: boolean;
}

export function ValueCell({ field, value, isInteractive = false }: ValueCellProps) {
  const isList = isRepeated(field) && Array.isArray(value);
  const values = value === undefined || value === null ? [] : isList ? value : [value];
  if (values.length === 0) {
    return (
      <Text component="span" c="dimmed" size="sm" aria-label={t('empty')}>
        –
      </Text>
    );
  }
  const { Cell } = fieldTypeOf(field);
  return Cell ? <Cell field={field} values={values} isInteractive={isInteractive} /> : formatValue(field, value);
}
