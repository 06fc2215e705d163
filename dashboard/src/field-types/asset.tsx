import type { AssetValue } from '@headwater/sdk';
import { Group, Input } from '@mantine/core';
import { AssetInput } from '../files/asset-input.tsx';
import { Thumbnail } from '../files/thumbnail.tsx';
import { t } from '../languages/translate.ts';
import { defineFieldType, inputProps } from './definition.ts';

const MAX_THUMBNAILS = 3;

export const asset = defineFieldType<AssetValue>({
  label: t('Media'),
  isSortable: false,
  isEditableInTable: false,
  isNestable: true,
  hasDefault: false,
  Input: (props) => (
    <Input.Wrapper {...inputProps(props)} labelElement="div">
      <AssetInput
        label={props.label}
        value={props.value}
        onChange={props.onChange}
        isAsking={props.variant === 'row'}
      />
    </Input.Wrapper>
  ),
  format: ({ name, assetId }) => name ?? assetId,
  Cell: ({ values }) => (
    <Group gap={4} wrap="nowrap" component="span">
      {values.slice(0, MAX_THUMBNAILS).map((value, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list may contain the same file twice
        <Thumbnail key={i} asset={value} size={28} />
      ))}
      {values.length > MAX_THUMBNAILS && <span>+{values.length - MAX_THUMBNAILS}</span>}
    </Group>
  ),
  filter: { operators: ['exists'] },
  csv: { canMatch: false, formats: [] },
});
