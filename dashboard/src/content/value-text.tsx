import type { AssetValue, Collection, Entry } from '@headwater/sdk';
import { Anchor, Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Thumbnail } from '../files/thumbnail.tsx';
import { formatDay, formatNumber, formatTime } from '../shared/formats.ts';
import { type AnyField, isActive, isRepeated, nestedOf } from './field-types.ts';

/** What an entry is called: its display field, else its first text. */
export function nameOfEntry(collection: Collection, { values, id }: Entry): string {
  const active = collection.fields.filter(isActive);
  const field =
    active.find((each) => each.id === collection.displayFieldId) ?? active.find(({ type }) => type === 'text');
  const text = field ? textOf(field, values[field.id]) : '';
  return text || `Untitled (${id.slice(-6)})`;
}

/** A value as a line of text; empty where there is none. */
export function textOf(field: AnyField, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((each) => textOfOne(field, each)).join(', ');
  return textOfOne(field, value);
}

function textOfOne(field: AnyField, value: unknown): string {
  switch (field.type) {
    case 'number':
      return formatNumber(value as number);
    case 'boolean':
      return value ? 'Yes' : 'No';
    case 'date':
      return formatDay(value as string);
    case 'timestamp':
      return formatTime(value as string);
    case 'select':
      return field.options?.find((option) => option.value === value)?.label ?? String(value);
    case 'asset':
      return (value as AssetValue).name ?? (value as AssetValue).assetId;
    case 'group':
      return nestedOf(field)
        .map((nested) => textOf(nested, (value as Record<string, unknown>)[nested.id]))
        .filter(Boolean)
        .join(' · ');
    default:
      return String(value);
  }
}

/** A value as a cell of a table shows it; `isText` where a link would stand in a button. */
export function ValueCell({
  field,
  value,
  isText = false,
}: {
  field: AnyField;
  value: unknown;
  isText?: boolean;
}): ReactNode {
  const isNothing = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  if (isNothing)
    return (
      <Text component="span" c="dimmed" size="sm" aria-label="empty">
        –
      </Text>
    );
  const all = Array.isArray(value) ? value : [value];
  if (field.type === 'asset') {
    return (
      <Group gap={4} wrap="nowrap" component="span">
        {(all as AssetValue[]).slice(0, 3).map((asset, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may stand there twice
          <Thumbnail key={i} asset={asset} size={28} />
        ))}
        {all.length > 3 && <span>+{all.length - 3}</span>}
      </Group>
    );
  }
  if (field.type === 'select') {
    return (
      <Group gap={4} wrap="nowrap" component="span">
        {all.map((each) => (
          <Badge key={String(each)} variant="light" color="water" tt="none" fw={500}>
            {textOfOne(field, each)}
          </Badge>
        ))}
      </Group>
    );
  }
  if (field.type === 'url' && isText) return String(value).replace(/^https?:\/\//, '');
  if (field.type === 'url' && !isRepeated(field)) {
    return (
      <Anchor href={String(value)} target="_blank" rel="noreferrer" size="sm">
        {String(value).replace(/^https?:\/\//, '')}
      </Anchor>
    );
  }
  return <span className={field.type === 'number' ? 'number' : undefined}>{textOf(field, value)}</span>;
}
