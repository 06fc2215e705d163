import { Paper, UnstyledButton } from '@mantine/core';
import type { Command, EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { useEffect, useRef, useState } from 'react';
import { t } from '../languages/translate.ts';
import classes from './editor.module.css';

interface SlashItem {
  name: string;
  command: Command;
}

/** What was typed after a `/` at the start of a paragraph. */
function slashQuery({ selection: { $from, empty } }: EditorState): string | undefined {
  if (!empty || $from.parent.type.name !== 'paragraph') return undefined;
  const text = $from.parent.textBetween(0, $from.parentOffset, undefined, '\ufffc');
  return /^\/(\w[\w ]{0,20})?$/.test(text) ? text.slice(1) : undefined;
}

interface SlashMenuProps {
  view: EditorView;
  items: readonly SlashItem[];
  /** Receives the keys of the editor while the menu is open; returns whether it used one. */
  keys: { current: ((event: KeyboardEvent) => boolean) | undefined };
  id: string;
}

/** The blocks that can be inserted, below the `/` that was typed. */
export function SlashMenu({ view, items, keys, id }: SlashMenuProps) {
  const query = slashQuery(view.state);
  const [active, setActive] = useState(0);
  const [closed, setClosed] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const found =
    query === undefined || query === closed
      ? []
      : items.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));
  const index = Math.min(active, found.length - 1);
  const isOpen = found.length > 0;
  const run = (item: SlashItem) => {
    const { $from } = view.state.selection;
    view.dispatch(view.state.tr.delete($from.start(), $from.pos));
    item.command(view.state, view.dispatch, view);
    view.focus();
  };
  keys.current = (event) => {
    if (!isOpen) return false;
    if (event.key === 'ArrowDown') setActive((index + 1) % found.length);
    else if (event.key === 'ArrowUp') setActive((index - 1 + found.length) % found.length);
    else if (event.key === 'Escape') setClosed(query);
    else if (event.key === 'Enter' && found[index]) run(found[index]);
    else return false;
    return true;
  };
  useEffect(() => {
    const { dom } = view;
    if (!isOpen) return;
    dom.setAttribute('aria-controls', id);
    dom.setAttribute('aria-activedescendant', `${id}-${index}`);
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
    return () => {
      dom.removeAttribute('aria-controls');
      dom.removeAttribute('aria-activedescendant');
    };
  }, [view, isOpen, index, id]);
  if (!isOpen) return null;
  const place = view.coordsAtPos(view.state.selection.from);
  const frame = view.dom.parentElement?.parentElement?.getBoundingClientRect();
  return (
    <Paper
      ref={list}
      id={id}
      role="listbox"
      aria-label={t('Insert')}
      shadow="md"
      withBorder
      className={classes.slashMenu}
      style={{ top: place.bottom - (frame?.top ?? 0) + 4, left: place.left - (frame?.left ?? 0) }}
    >
      {found.map((item, i) => (
        <UnstyledButton
          key={item.name}
          id={`${id}-${i}`}
          role="option"
          tabIndex={-1}
          aria-selected={i === index}
          className={classes.slashItem}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => run(item)}
        >
          {item.name}
        </UnstyledButton>
      ))}
    </Paper>
  );
}
