import type { RichText } from '@headwater/sdk';
import { ActionIcon, Button, Group, Input, Textarea, Tooltip } from '@mantine/core';
import { baseKeymap, chainCommands, exitCode, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import { inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { defaultMarkdownParser, defaultMarkdownSerializer, schema } from 'prosemirror-markdown';
import { MarkType, Node, type NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { useEffect, useId, useRef, useState } from 'react';
import { type FieldInputProps, inputProps } from '../field-types/definition.ts';
import { StrokeIcon } from '../shared/icons.tsx';
import classes from './rich-text-editor.module.css';
import { LinkTool } from './rich-text-link.tsx';

type RichTextEditorProps<Value> = FieldInputProps<Value> & { stores: Value extends string ? 'markdown' : 'richtext' };

const { nodes, marks } = schema as typeof schema & {
  nodes: Record<string, NodeType>;
  marks: Record<string, MarkType>;
};

const EMPTY = defaultMarkdownParser.parse('');

/** A formatted text, stored as Markdown or as a tree. Both are documents of the same schema while they are edited. */
export default function RichTextEditor<Value extends string | RichText>(props: RichTextEditorProps<Value>) {
  const { value, stores, onChange, label, variant } = props;
  const isMarkdown = stores === 'markdown';
  // Markdown that this editor would write differently is edited as source, so that an edit does not change the rest.
  const [isSource, setIsSource] = useState(() => isMarkdown && !isWritten(value as string | undefined));
  const wrapper = inputProps(props);
  const labelId = useId();
  const read = (): Node => readValue(value);
  const write = (doc: Node): unknown => {
    const isEmpty = doc.textContent === '' && doc.childCount <= 1 && doc.firstChild?.type === nodes.paragraph;
    const next = isEmpty ? undefined : isMarkdown ? defaultMarkdownSerializer.serialize(doc) : doc.toJSON();
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
            aria-label={`${isSource ? 'Formatted' : 'Markdown'} view of ${label}`}
            onClick={() => setIsSource(!isSource)}
          >
            {isSource ? 'Formatted' : 'Markdown'}
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
        <Editor label={label} value={value} read={read} write={write} isInvalid={wrapper.error !== undefined} />
      )}
    </Input.Wrapper>
  );
}

function readValue(value: string | RichText | undefined): Node {
  if (value === undefined) return EMPTY;
  if (typeof value === 'string') return defaultMarkdownParser.parse(value);
  return Node.fromJSON(schema, value);
}

/** Whether the editor would store this Markdown unchanged, except for white space at the end. */
const isWritten = (text: string | undefined): boolean =>
  text === undefined || defaultMarkdownSerializer.serialize(defaultMarkdownParser.parse(text)) === text.trimEnd();

interface EditorProps {
  label: string;
  value: unknown;
  read: () => Node;
  /** Returns the value to store. */
  write: (doc: Node) => unknown;
  isInvalid: boolean;
}

function Editor({ label, value, read, write, isInvalid }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ read, write });
  latest.current = { read, write };
  /** The value that this editor wrote: any other one comes from outside, such as a discarded change. */
  const written = useRef<string>(undefined);
  const [, setState] = useState<EditorState>();

  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView(host.current, {
      state: EditorState.create({ doc: latest.current.read(), plugins: PLUGINS }),
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, dir: 'auto' },
      editable: () => !host.current?.closest('fieldset:disabled'),
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
  }, [label]);

  const text = JSON.stringify(value) ?? '';
  useEffect(() => {
    const editor = view.current;
    if (!editor || written.current === text) return;
    written.current = text;
    const doc = latest.current.read();
    if (!doc.eq(editor.state.doc)) editor.updateState(EditorState.create({ doc, plugins: PLUGINS }));
  }, [text]);

  return (
    <div className={classes.frame} data-error={isInvalid || undefined}>
      <Toolbar label={label} view={view.current} />
      <div ref={host} className={classes.content} />
    </div>
  );
}

function isActive(
  { selection, doc }: EditorState,
  type: MarkType | NodeType,
  attrs?: Record<string, unknown>,
): boolean {
  const { from, to, empty, $from } = selection;
  if (type instanceof MarkType) {
    return empty ? type.isInSet($from.marks()) !== undefined : doc.rangeHasMark(from, to, type);
  }
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    if (node.type === type && Object.entries(attrs ?? {}).every(([name, each]) => node.attrs[name] === each))
      return true;
  }
  return false;
}

interface Tool {
  name: string;
  /** Letters, or the paths of an icon. */
  text?: string;
  icon?: string;
  type?: MarkType | NodeType | undefined;
  attrs?: Record<string, unknown>;
  command: Command;
}

const type = <Type,>(found: Type | undefined): Type => {
  if (!found) throw new Error('the schema has no such type');
  return found;
};
const [em, strong, code, link] = [type(marks.em), type(marks.strong), type(marks.code), type(marks.link)];
const [paragraph, heading, codeBlock] = [type(nodes.paragraph), type(nodes.heading), type(nodes.code_block)];
const [bulletList, orderedList, listItem] = [type(nodes.bullet_list), type(nodes.ordered_list), type(nodes.list_item)];
const [blockquote, hardBreak] = [type(nodes.blockquote), type(nodes.hard_break)];

/** Turns a block into a paragraph again if it is one of this type already. */
const toggleBlock =
  (block: NodeType, attrs?: Record<string, unknown>): Command =>
  (state, dispatch) =>
    setBlockType(isActive(state, block, attrs) ? paragraph : block, isActive(state, block, attrs) ? null : attrs)(
      state,
      dispatch,
    );

const LINK: Tool = { name: 'Link', type: link, command: () => true };

const TOOLS: Tool[] = [
  { name: 'Bold', text: 'B', type: strong, command: toggleMark(strong) },
  { name: 'Italic', text: 'I', type: em, command: toggleMark(em) },
  { name: 'Code', text: '<>', type: code, command: toggleMark(code) },
  LINK,
  ...[2, 3].map((level) => ({
    name: `H${level} heading`,
    text: `H${level}`,
    type: heading,
    attrs: { level },
    command: toggleBlock(heading, { level }),
  })),
  {
    name: 'Bullet list',
    icon: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
    type: bulletList,
    command: chainCommands(liftIf(bulletList), wrapInList(bulletList)),
  },
  {
    name: 'Numbered list',
    icon: 'M10 6h10M10 12h10M10 18h10M4 4.5h1.5V9M4 14.5h2.5L4 19h2.5',
    type: orderedList,
    command: chainCommands(liftIf(orderedList), wrapInList(orderedList)),
  },
  { name: 'Quote', text: '”', type: blockquote, command: wrapIn(blockquote) },
  { name: 'Code block', text: '{}', type: codeBlock, command: toggleBlock(codeBlock) },
  { name: 'Undo', icon: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3', command: undo },
  { name: 'Redo', icon: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3', command: redo },
];

function liftIf(list: NodeType): Command {
  return (state, dispatch) => isActive(state, list) && liftListItem(listItem)(state, dispatch);
}

function Toolbar({ label, view }: { label: string; view: EditorView | null }) {
  return (
    <Group gap={2} className={classes.toolbar} role="toolbar" aria-label={`Formatting of ${label}`}>
      {TOOLS.map((tool) => {
        const { name, text, icon, type: shown, attrs, command } = tool;
        const isOn = view !== null && shown !== undefined && isActive(view.state, shown, attrs);
        if (tool === LINK) return <LinkTool key={name} view={view} link={link} isOn={isOn} />;
        return (
          <Tooltip key={name} label={name}>
            <ActionIcon
              variant={isOn ? 'light' : 'subtle'}
              color="gray"
              aria-label={name}
              aria-pressed={shown ? isOn : undefined}
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
      })}
    </Group>
  );
}

const insertBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(hardBreak.create()).scrollIntoView());
  return true;
};

const PLUGINS = [
  inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,6})\s$/, heading, (match) => ({ level: match[1]?.length })),
      textblockTypeInputRule(/^```$/, codeBlock),
      wrappingInputRule(/^\s*([-+*])\s$/, bulletList),
      wrappingInputRule(/^(\d+)\.\s$/, orderedList, (match) => ({ order: Number(match[1]) })),
      wrappingInputRule(/^\s*>\s$/, blockquote),
    ],
  }),
  history(),
  keymap({
    'Mod-b': toggleMark(strong),
    'Mod-i': toggleMark(em),
    'Mod-`': toggleMark(code),
    'Mod-z': undo,
    'Mod-y': redo,
    'Shift-Mod-z': redo,
    'Shift-Enter': chainCommands(exitCode, insertBreak),
    Enter: splitListItem(listItem),
    // Only in lists, so that the keyboard can leave the editor.
    Tab: sinkListItem(listItem),
    'Shift-Tab': liftListItem(listItem),
  }),
  keymap(baseKeymap),
];
