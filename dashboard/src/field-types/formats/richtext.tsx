import type { RichText, RichTextNode } from '@headwater/sdk';
import { Skeleton, TextInput } from '@mantine/core';
import { Suspense } from 'react';
import { TextDifference } from '../../content/text-difference.tsx';
import { t } from '../../languages/translate.ts';
import { lazy } from '../../shared/lazy.tsx';
import { defineFieldType, inputProps } from '../definition.ts';

const ReferenceSettings = lazy(() => import('../../content/reference-settings.tsx'));
const RichTextEditor = lazy(() => import('../../rich-text/editor.tsx'));

/** The text of a document, its blocks separated by spaces. */
function textOf(node: RichText | RichTextNode): string {
  if ('text' in node && node.text !== undefined) return node.text;
  const isInline = node.type === 'paragraph' || node.type === 'heading' || node.type === 'code_block';
  return (node.content ?? []).map(textOf).join(isInline ? '' : ' ');
}

export const richtext = defineFieldType<RichText>({
  label: t('Rich text'),
  isSortable: false,
  isEditableInTable: false,
  isNestable: true,
  Input: (props) =>
    props.variant === 'filter' ? (
      <TextInput
        {...inputProps(props)}
        // A filter compares texts.
        value={typeof props.value === 'string' ? props.value : ''}
        onChange={(event) => props.onChange((event.currentTarget.value || undefined) as never)}
      />
    ) : (
      <Suspense fallback={<Skeleton height={160} />}>
        <RichTextEditor {...props} stores="richtext" />
      </Suspense>
    ),
  format: (value) => (typeof value === 'string' ? value : textOf(value).slice(0, 200)),
  Difference: ({ value, other }) => <TextDifference text={textOf(value)} other={other ? textOf(other) : ''} />,
  filter: { operators: ['contains', 'exists'] },
  csv: { canMatch: false, formats: [] },
  settings: {
    Editor: (props) => (
      <Suspense>
        <ReferenceSettings {...props} />
      </Suspense>
    ),
    toRequest: ({ collectionIds, onDelete, isNew }) => ({
      ...((!isNew || collectionIds.length > 0) && { collectionIds }),
      ...((!isNew || onDelete === 'refuse') && { onDelete }),
    }),
  },
});
