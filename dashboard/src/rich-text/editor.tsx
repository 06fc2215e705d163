import type { RichText } from '@headwater/sdk';
import { ActionIcon, Button, Group, Input, Textarea, Tooltip } from '@mantine/core';
import { baseKeymap, chainCommands, exitCode, toggleMark } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { defaultMarkdownParser, MarkdownParser } from 'prosemirror-markdown';
import { type MarkType, Node, type Schema } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { type Command, EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { canonicalRichText } from '../../../server/src/content/field-types/formats/rich-text-document.ts';
import { richTextToMarkdown } from '../../../server/src/content/field-types/formats/rich-text-markdown.ts';
import { newMarkdownReader } from '../../../server/src/content/field-types/formats/rich-text-reader.ts';
import { type FieldInputProps, inputProps } from '../field-types/definition.ts';
import { t } from '../languages/translate.ts';
import { Icon } from '../shared/icons.tsx';
import classes from './editor.module.css';
import { FigureBar } from './figure-bar.tsx';
import { FindBar, findPlugin } from './find-bar.tsx';
import { ImageTool } from './image-tool.tsx';
import { LinkTool } from './link-tool.tsx';
import { pastePlugin } from './paste.ts';
import { markdownSchema, richTextSchema } from './schema.ts';
import { SlashMenu } from './slash-menu.tsx';
import { moveToCell } from './table.ts';
import { Toolbar } from './toolbar.tsx';
import { isActive, toolsOf } from './tools.ts';

type RichTextEditorProps<Value> = FieldInputProps<Value> & { stores: Value extends string ? 'markdown' : 'richtext' };

/** A formatted text, stored as Markdown or as a tree. Both are documents of the same schema while they are edited. */
export default function RichTextEditor<Value extends string | RichText>(props: RichTextEditorProps<Value>) {
  const { value, stores, onChange, label, variant } = props;
  const isMarkdown = stores === 'markdown';
  // Markdown that this editor would write differently is edited as source, so that an edit does not change the rest.
  const [isSource, setIsSource] = useState(() => isMarkdown && !isWritten(value as string | undefined));
  const wrapper = inputProps(props);
  const labelId = useId();
  const schema = isMarkdown ? markdownSchema : richTextSchema;
  const read = (): Node => readValue(schema, value);
  const write = (doc: Node): unknown => {
    const isEmpty = doc.textContent === '' && doc.childCount <= 1 && doc.firstChild?.type.name === 'paragraph';
    const next = isEmpty ? undefined : isMarkdown ? richTextToMarkdown(doc.toJSON()) : canonicalRichText(doc.toJSON());
    onChange(next as Value | undefined);
    return next;
  };
  return (
    <Input.Wrapper
      label={wrapper.label && <span id={labelId}>{wrapper.label}</span>}
      labelElement="div"
      description={wrapper.description}
      withAsterisk={wrapper.withAsterisk}
      error={wrapper.error}
    >
      {isMarkdown && (
        <Group justify="flex-end" mb={4} mt={-24}>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            aria-label={isSource ? t('Formatted view of {label}', { label }) : t('Markdown view of {label}', { label })}
            onClick={() => setIsSource(!isSource)}
          >
            {isSource ? t('Formatted') : 'Markdown'}
          </Button>
        </Group>
      )}
      {isSource ? (
        <Textarea
          aria-label={label}
          dir="auto"
          autosize
          minRows={variant === 'row' ? 2 : 5}
          maxRows={24}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          value={(value as string | undefined) ?? ''}
          onChange={(event) => onChange((event.currentTarget.value || undefined) as Value | undefined)}
        />
      ) : (
        <Editor
          schema={schema}
          label={label}
          value={value}
          read={read}
          write={write}
          isInvalid={wrapper.error !== undefined}
          entries={(props.field.collectionIds?.length ?? 0) > 0 ? (props as never) : undefined}
        />
      )}
    </Input.Wrapper>
  );
}

const reader = newMarkdownReader({ defaultMarkdownParser, MarkdownParser }, markdownSchema);

function readValue(schema: Schema, value: string | RichText | undefined): Node {
  if (value === undefined) return schema.topNodeType.createAndFill() ?? reader.parse('');
  return canonical(typeof value === 'string' ? reader.parse(value) : Node.fromJSON(schema, value));
}

/** A document as it is stored. */
const canonical = (doc: Node): Node => Node.fromJSON(doc.type.schema, canonicalRichText(doc.toJSON()));

/** Whether the editor would store this Markdown unchanged, except for white space at the end. */
const isWritten = (text: string | undefined): boolean =>
  text === undefined || richTextToMarkdown(reader.parse(text).toJSON()) === text.trimEnd();

interface EditorProps {
  schema: Schema;
  label: string;
  value: unknown;
  read: () => Node;
  /** Returns the value to store. */
  write: (doc: Node) => unknown;
  isInvalid: boolean;
  /** If links can lead to entries. */
  entries: FieldInputProps<string> | undefined;
}

function Editor({ schema, label, value, read, write, isInvalid, entries }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ read, write });
  latest.current = { read, write };
  /** The value that this editor wrote: any other one comes from outside, such as a discarded change. */
  const written = useRef<string>(undefined);
  const [, setState] = useState<EditorState>();
  const [open, setOpen] = useState<'link' | 'image' | 'find'>();
  const menuKeys = useRef<(event: KeyboardEvent) => boolean>(undefined);
  const menuId = useId();
  const plugins = useMemo(() => pluginsOf(schema, setOpen), [schema]);
  const tools = useMemo(() => toolsOf(schema), [schema]);

  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView(host.current, {
      state: EditorState.create({ doc: latest.current.read(), plugins }),
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, dir: 'auto' },
      editable: () => !host.current?.closest('fieldset:disabled'),
      handleKeyDown: (_view, event) => menuKeys.current?.(event) ?? false,
      dispatchTransaction(transaction) {
        const next = editor.state.apply(transaction);
        editor.updateState(next);
        setState(next);
        // Markdown does not keep everything, such as a space that was just typed at the end of a line.
        if (transaction.docChanged) written.current = JSON.stringify(latest.current.write(next.doc)) ?? '';
      },
    });
    view.current = editor;
    setState(editor.state);
    return () => editor.destroy();
  }, [label, plugins]);

  const text = useMemo(() => JSON.stringify(value) ?? '', [value]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || written.current === text) return;
    written.current = text;
    const doc = latest.current.read();
    if (!doc.eq(canonical(editor.state.doc))) editor.updateState(EditorState.create({ doc, plugins }));
  }, [text, plugins]);

  const shown = view.current;
  const { link } = schema.marks;
  const items = [
    ...tools.filter(({ isBlock }) => isBlock),
    ...(schema.nodes.figure ? [{ name: t('Image'), command: opens('image', setOpen) }] : []),
  ];
  return (
    <div className={classes.frame} data-error={isInvalid || undefined}>
      <div className={classes.head}>
        <Toolbar label={label} view={shown} tools={tools}>
          {link && (
            <LinkTool
              entries={entries}
              view={shown}
              link={link}
              isOn={shown !== null && isActive(shown.state, link)}
              isOpen={open === 'link'}
              onOpen={(isOpen) => setOpen(isOpen ? 'link' : undefined)}
            />
          )}
          {schema.nodes.figure && (
            <ImageTool
              view={shown}
              isOpen={open === 'image'}
              onOpen={(isOpen) => setOpen(isOpen ? 'image' : undefined)}
            />
          )}
          <Tooltip label={t('Find and replace')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('Find and replace')}
              aria-expanded={open === 'find'}
              onClick={() => setOpen(open === 'find' ? undefined : 'find')}
            >
              <Icon name="search" size={16} />
            </ActionIcon>
          </Tooltip>
        </Toolbar>
        {shown && open === 'find' && <FindBar view={shown} onClose={() => setOpen(undefined)} />}
        {shown && <FigureBar view={shown} />}
      </div>
      <div ref={host} className={classes.content} />
      {shown && <SlashMenu view={shown} items={items} keys={menuKeys} id={menuId} />}
    </div>
  );
}

type Part = 'link' | 'image' | 'find';

const opens =
  (part: Part, open: (part: Part) => void): Command =>
  () => {
    open(part);
    return true;
  };

const insertBreak: Command = (state, dispatch) => {
  const { hard_break: hardBreak } = state.schema.nodes;
  if (!hardBreak) return false;
  dispatch?.(state.tr.replaceSelectionWith(hardBreak.create()).scrollIntoView());
  return true;
};

const type = <Type,>(found: Type | undefined): Type => {
  if (!found) throw new Error('the schema has no such type');
  return found;
};

/** Marks what stands between Markdown's signs when the last of them is typed. */
const markRule = (signs: RegExp, mark: MarkType | undefined): InputRule[] =>
  mark === undefined
    ? []
    : [
        new InputRule(signs, ({ tr }, match, start, end) => {
          const [whole, text = ''] = match;
          const from = start + (whole.length - text.length) / 2;
          tr.delete(from + text.length, end).delete(start, from);
          return tr.addMark(start, start + text.length, mark.create()).removeStoredMark(mark);
        }),
      ];

function pluginsOf({ nodes, marks }: Schema, open: (part: Part) => void) {
  const item = type(nodes.list_item);
  const marksByKey = { b: marks.strong, i: marks.em, u: marks.underline, '`': marks.code };
  const markKeys = Object.entries(marksByKey).flatMap(([name, mark]) =>
    mark ? [[`Mod-${name}`, toggleMark(mark)] as const] : [],
  );
  return [
    inputRules({
      rules: [
        textblockTypeInputRule(/^(#{1,6})\s$/, type(nodes.heading), (match) => ({ level: match[1]?.length })),
        textblockTypeInputRule(/^```$/, type(nodes.code_block)),
        wrappingInputRule(/^\s*([-+*])\s$/, type(nodes.bullet_list)),
        wrappingInputRule(/^(\d+)\.\s$/, type(nodes.ordered_list), (match) => ({ order: Number(match[1]) })),
        wrappingInputRule(/^\s*>\s$/, type(nodes.blockquote)),
        ...markRule(/(?<![\w*])\*\*([^\s*](?:[^*]*[^\s*])?)\*\*$/, marks.strong),
        ...markRule(/(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*$/, marks.em),
        ...markRule(/(?<![\w~])~~([^\s~](?:[^~]*[^\s~])?)~~$/, marks.strike),
        ...markRule(/(?<![\w`])`([^\s`](?:[^`]*[^\s`])?)`$/, marks.code),
      ],
    }),
    history(),
    findPlugin,
    pastePlugin(),
    keymap({
      ...Object.fromEntries(markKeys),
      'Mod-k': opens('link', open),
      'Mod-f': opens('find', open),
      'Mod-z': undo,
      'Mod-y': redo,
      'Shift-Mod-z': redo,
      'Shift-Enter': chainCommands(exitCode, insertBreak),
      // Right after signs became a format, they come back.
      Backspace: undoInputRule,
      Enter: splitListItem(item),
      // Only in lists and tables, so that the keyboard can leave the editor.
      Tab: chainCommands(sinkListItem(item), moveToCell(1)),
      'Shift-Tab': chainCommands(liftListItem(item), moveToCell(-1)),
    }),
    keymap(baseKeymap),
  ];
}
