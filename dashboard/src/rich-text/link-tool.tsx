import { ActionIcon, Button, Group, Popover, Skeleton, TextInput } from '@mantine/core';
import type { MarkType } from 'prosemirror-model';
import type { EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { type KeyboardEvent, Suspense, useState } from 'react';
import { cachedTitle } from '../content/entry-titles.ts';
import type { FieldInputProps } from '../field-types/definition.ts';
import { t } from '../languages/translate.ts';
import { StrokeIcon } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';

/** As the service checks it: web, email and phone URLs, and relative ones. */
const VALID = /^(?:(?:https?|mailto|tel|ftp):|[^\s:]*(?:[/?#]|$))/i;
const CHAIN = 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1';
const DOMAIN = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[/?#]|$)/i;

const ReferenceInput = lazy(() => import('../content/reference-input.tsx'));

/** The entry of a link, as the service stores it. */
const ENTRY = /^entry:(ent_\w+)$/;

interface LinkToolProps {
  /** If links can lead to entries of `collectionIds` of the field. */
  entries: FieldInputProps<string> | undefined;
  view: EditorView | null;
  link: MarkType;
  isOn: boolean;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** Sets, changes and removes the link of the selected text, or of the link that contains the cursor. */
export function LinkTool({ entries, view, link, isOn, isOpen, onOpen }: LinkToolProps) {
  const [typed, setHref] = useState<string>();
  const href = isOpen ? (typed ?? (view ? linkAt(view.state, link).href : '')) : undefined;
  const url = DOMAIN.test(href ?? '') ? `https://${href}` : (href ?? '').trim();
  const entryId = ENTRY.exec(url)?.[1];
  const isInvalid = url !== '' && entryId === undefined && !VALID.test(url);
  const close = () => {
    setHref(undefined);
    onOpen(false);
    // After the popover has returned the focus to its button.
    setTimeout(() => view?.focus());
  };
  const set = (next: string, text = next) => {
    if (!view) return;
    const { state } = view;
    const { from, to } = linkAt(state, link);
    const { tr } = state;
    if (next === '') tr.removeMark(from, to, link);
    else if (from === to) tr.replaceSelectionWith(state.schema.text(text, [link.create({ href: next })]), false);
    else tr.removeMark(from, to, link).addMark(from, to, link.create({ href: next }));
    view.dispatch(tr);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // The form around the editor is not submitted.
    event.preventDefault();
    if (url !== '' && !isInvalid) set(url);
  };
  return (
    <Popover opened={isOpen} onChange={(isStillOpen) => !isStillOpen && close()} trapFocus withArrow shadow="md">
      <Popover.Target>
        <ActionIcon
          variant={isOn ? 'light' : 'subtle'}
          color="gray"
          aria-label={t('Link')}
          title={t('Link')}
          aria-pressed={isOn}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => (isOpen ? close() : view && onOpen(true))}
        >
          <StrokeIcon path={CHAIN} size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Link')}>
        {entries && (
          <Suspense fallback={<Skeleton height={58} />}>
            <ReferenceInput
              {...entries}
              label={t('Link to an entry')}
              value={entryId}
              onChange={(id) => id !== undefined && set(`entry:${id}`, cachedTitle(id))}
              errors={NO_ERRORS}
              variant="filter"
            />
          </Suspense>
        )}
        <TextInput
          label={t('Link URL')}
          size="sm"
          type="text"
          inputMode="url"
          placeholder="https://"
          value={entryId === undefined ? (href ?? '') : ''}
          onChange={(event) => setHref(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          error={isInvalid && t('Use a web, email or phone URL, or a path such as /about.')}
          data-autofocus
          mt={entries && 'xs'}
        />
        <Group gap="xs" mt="xs" justify="flex-end">
          {isOn && (
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => set('')}>
              {t('Remove link')}
            </Button>
          )}
          <Button size="compact-sm" disabled={url === '' || isInvalid} onClick={() => set(url)}>
            {t('Apply')}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}

const NO_ERRORS: FieldInputProps['errors'] = new Map();

/** The selected text, or all of the link that contains the cursor, and the URL that it links to. */
function linkAt({ selection, doc }: EditorState, link: MarkType): { from: number; to: number; href: string } {
  const { $from, from, to, empty } = selection;
  let href = '';
  if (!empty) {
    doc.nodesBetween(from, to, ({ marks }) => {
      href ||= link.isInSet(marks)?.attrs.href ?? '';
    });
    return { from, to, href };
  }
  const mark = link.isInSet($from.marks());
  if (!mark) return { from, to, href };
  // The neighbors on both sides that have the same link.
  const { parent } = $from;
  const isLinked = (index: number) =>
    index >= 0 && index < parent.childCount && mark.isInSet(parent.child(index).marks);
  let first = isLinked($from.index()) ? $from.index() : $from.index() - 1;
  let last = first;
  while (isLinked(first - 1)) first--;
  while (isLinked(last + 1)) last++;
  const end = $from.posAtIndex(last) + parent.child(last).nodeSize;
  return { from: $from.posAtIndex(first), to: end, href: mark.attrs.href as string };
}
