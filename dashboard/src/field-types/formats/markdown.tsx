import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { TextDifference } from '../../content/text-difference.tsx';
import { lazy } from '../../shared/lazy.tsx';
import { defineFieldType } from '../definition.ts';
import { text } from '../text.tsx';

const RichTextEditor = lazy(() => import('../../rich-text/editor.tsx'));

export const markdown = defineFieldType<string>({
  ...text,
  label: 'Markdown',
  isEditableInTable: false,
  isDefaultTitle: false,
  Input: (props) =>
    props.variant === 'filter' ? (
      <text.Input {...props} />
    ) : (
      <Suspense fallback={<Skeleton height={160} />}>
        <RichTextEditor {...props} stores="markdown" />
      </Suspense>
    ),
  format: (value) => value.slice(0, 200),
  Difference: ({ value, other }) => <TextDifference text={value} other={other ?? ''} />,
});
