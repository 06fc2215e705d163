import { ActionIcon, Group, Tooltip } from '@mantine/core';
import type { EditorView } from 'prosemirror-view';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../languages/translate.ts';
import { StrokeIcon } from '../shared/icons.tsx';
import classes from './editor.module.css';
import { isActive, type Tool } from './tools.ts';

interface ToolbarProps {
  label: string;
  view: EditorView | null;
  tools: readonly Tool[];
  /** After the marks and before the blocks. */
  children: ReactNode;
}

/** One stop of the Tab key; the arrow keys move among its buttons. */
export function Toolbar({ label, view, tools, children }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [last, setLast] = useState<Element>();
  const buttons = () => [...(bar.current?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])];
  useLayoutEffect(() => {
    const all = buttons();
    const stop = all.find((each) => each === last) ?? all[0];
    for (const each of all) each.tabIndex = each === stop ? 0 : -1;
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const all = buttons();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 };
    const next = steps[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  };
  const shown = view
    ? tools.filter(({ isShown }) => isShown?.(view.state) ?? true)
    : tools.filter((each) => !each.isShown);
  const blocks = shown.findIndex(({ isBlock }) => isBlock);
  const button = (tool: Tool) => <ToolButton key={tool.name} tool={tool} view={view} />;
  return (
    <Group
      ref={bar}
      gap={2}
      className={classes.toolbar}
      role="toolbar"
      aria-label={t('Formatting of {label}', { label })}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => setLast(target)}
    >
      {shown.slice(0, blocks).map(button)}
      {children}
      {shown.slice(blocks).map(button)}
    </Group>
  );
}

function ToolButton({ tool, view }: { tool: Tool; view: EditorView | null }) {
  const { name, text, icon, type, attrs, command } = tool;
  const isOn = view !== null && type !== undefined && isActive(view.state, type, attrs);
  return (
    <Tooltip label={name}>
      <ActionIcon
        variant={isOn ? 'light' : 'subtle'}
        color="gray"
        w={text && text.length > 2 ? 'auto' : undefined}
        px={text && text.length > 2 ? 6 : undefined}
        fz="sm"
        aria-label={name}
        aria-pressed={type ? isOn : undefined}
        disabled={view !== null && !command(view.state)}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          if (!view) return;
          command(view.state, view.dispatch, view);
          view.focus();
        }}
      >
        {icon ? <StrokeIcon path={icon} size={16} /> : <span aria-hidden>{text}</span>}
      </ActionIcon>
    </Tooltip>
  );
}
