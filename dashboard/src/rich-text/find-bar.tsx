import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core';
import type { Node } from 'prosemirror-model';
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { focusOnMount } from '../shared/focus-on-mount.ts';
import { Icon } from '../shared/icons.tsx';
import classes from './editor.module.css';

interface Match {
  from: number;
  to: number;
}

const key = new PluginKey<string>('find');

/** The places of a text, in any case. A match lies within one block, whatever its marks. */
function findAll(doc: Node, text: string): Match[] {
  if (text === '') return [];
  const wanted = text.toLowerCase();
  const found: Match[] = [];
  doc.descendants((node, pos) => {
    if (!node.isTextblock) return true;
    // Other inline nodes take one place each, as their character does.
    const content = node.textBetween(0, node.content.size, undefined, '\ufffc').toLowerCase();
    if (content.length !== node.content.size) return false;
    for (let at = content.indexOf(wanted); at >= 0; at = content.indexOf(wanted, at + wanted.length)) {
      found.push({ from: pos + 1 + at, to: pos + 1 + at + wanted.length });
    }
    return false;
  });
  return found;
}

/** Marks the matches of the text that the bar searches for. */
export const findPlugin = new Plugin<string>({
  key,
  state: { init: () => '', apply: (tr, text) => tr.getMeta(key) ?? text },
  props: {
    decorations(state) {
      const matches = findAll(state.doc, key.getState(state) ?? '');
      if (matches.length === 0) return null;
      return DecorationSet.create(
        state.doc,
        matches.map(({ from, to }) => Decoration.inline(from, to, { class: classes.match ?? '' })),
      );
    },
  },
});

/** Finds and replaces a text. */
export function FindBar({ view, onClose }: { view: EditorView; onClose: () => void }) {
  const [text, setText] = useState('');
  const [replacement, setReplacement] = useState('');
  const matches = findAll(view.state.doc, text);
  const { from, to } = view.state.selection;
  const current = matches.findIndex((match) => match.from === from && match.to === to);
  const search = (next: string) => {
    setText(next);
    view.dispatch(view.state.tr.setMeta(key, next));
  };
  const close = () => {
    view.dispatch(view.state.tr.setMeta(key, ''));
    onClose();
    view.focus();
  };
  const select = (match: Match | undefined) => {
    if (!match) return;
    const { tr } = view.state;
    view.dispatch(tr.setSelection(TextSelection.create(tr.doc, match.from, match.to)).scrollIntoView());
  };
  const step = (by: 1 | -1) => {
    // From the selection on, and from the other end of the text when there is none.
    const after = matches.findIndex((match) => match.from >= from);
    const before = matches.findLastIndex((match) => match.to <= to);
    const start = by === 1 ? Math.max(after, 0) : before;
    const next = current >= 0 ? current + by : start;
    select(matches[(next + matches.length) % matches.length]);
  };
  const replace = (all: readonly Match[]) => {
    const { tr } = view.state;
    for (const match of all.toReversed()) {
      if (replacement === '') tr.delete(match.from, match.to);
      else tr.insertText(replacement, match.from, match.to);
    }
    view.dispatch(tr);
  };
  return (
    <Group
      className={classes.figureBar}
      gap="xs"
      align="flex-end"
      role="search"
      aria-label={t('Find and replace')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        // The form around the editor is not submitted.
        event.preventDefault();
        step(event.shiftKey ? -1 : 1);
      }}
    >
      <TextInput
        flex={1}
        miw={140}
        size="xs"
        label={t('Find')}
        value={text}
        onChange={(event) => search(event.currentTarget.value)}
        ref={focusOnMount}
      />
      <TextInput
        flex={1}
        miw={140}
        size="xs"
        label={t('Replace with')}
        value={replacement}
        onChange={(event) => setReplacement(event.currentTarget.value)}
      />
      <Text size="xs" c="dimmed" role="status" className="number" py={6}>
        {text !== '' &&
          (current >= 0
            ? t('{current} of {count}', { current: current + 1, count: matches.length })
            : t('{count} found', { count: matches.length }))}
      </Text>
      <ActionIcon aria-label={t('Previous match')} disabled={matches.length === 0} onClick={() => step(-1)}>
        <Icon name="up" size={16} />
      </ActionIcon>
      <ActionIcon aria-label={t('Next match')} disabled={matches.length === 0} onClick={() => step(1)}>
        <Icon name="down" size={16} />
      </ActionIcon>
      <Button
        size="xs"
        variant="default"
        disabled={current < 0}
        onClick={() => replace(matches.slice(current, current + 1))}
      >
        {t('Replace')}
      </Button>
      <Button size="xs" variant="default" disabled={matches.length === 0} onClick={() => replace(matches)}>
        {t('Replace all')}
      </Button>
      <ActionIcon aria-label={t('Close find and replace')} onClick={close}>
        <Icon name="close" size={16} />
      </ActionIcon>
    </Group>
  );
}
