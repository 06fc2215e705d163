import { Group, Text, TextInput } from '@mantine/core';
import { t } from '../../languages/translate.ts';
import { defineFieldType, inputProps } from '../definition.ts';

const Swatch = ({ value }: { value: string }) => (
  <span
    aria-hidden
    style={{
      ...{ display: 'inline-block', width: 16, height: 16, borderRadius: 4, border: '1px solid var(--line)' },
      background: /^#[0-9a-f]{3,8}$/i.test(value) ? value : 'transparent',
    }}
  />
);

export const color = defineFieldType<string>({
  label: t('Color'),
  isSortable: true,
  isEditableInTable: true,
  isNestable: true,
  Input: (props) => (
    <TextInput
      {...inputProps(props)}
      placeholder="#0a84ff"
      spellCheck={false}
      leftSection={
        // The picker of the browser, which knows no opacity.
        <input
          type="color"
          aria-label={t('Pick {label}', { label: props.label })}
          value={/^#[0-9a-f]{6}/i.exec(props.value ?? '')?.[0] ?? '#000000'}
          onChange={(event) => props.onChange(event.currentTarget.value)}
          style={{ width: 20, height: 20, padding: 0, border: 0, background: 'none' }}
        />
      }
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value.trim() || undefined)}
    />
  ),
  format: (value) => value,
  Cell: ({ values }) => (
    <Group gap="xs" component="span">
      {values.map((value) => (
        <Group key={value} gap={6} wrap="nowrap" component="span">
          <Swatch value={value} />
          <Text component="span" size="sm">
            {value}
          </Text>
        </Group>
      ))}
    </Group>
  ),
  filter: { operators: ['eq', 'ne', 'exists'] },
  csv: { canMatch: true, formats: [] },
});
