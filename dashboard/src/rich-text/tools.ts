import { chainCommands, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import { MarkType, type NodeType, type Schema } from 'prosemirror-model';
import { liftListItem, wrapInList } from 'prosemirror-schema-list';
import type { Command, EditorState } from 'prosemirror-state';
import { t } from '../languages/translate.ts';
import { addColumn, addRow, deleteColumn, deleteRow, deleteTable, insertTable, isInTable } from './table.ts';

export interface Tool {
  name: string;
  /** Letters, or the paths of an icon. */
  text?: string;
  icon?: string;
  type?: MarkType | NodeType;
  attrs?: Record<string, unknown>;
  command: Command;
  /** Makes a block: offered by the menu of `/`. */
  isBlock?: boolean;
  /** Shown only where it does something. */
  isShown?: (state: EditorState) => boolean;
}

export function isActive(
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

/** Turns a block into a paragraph again if it is one of this type already. */
const toggleBlock =
  (block: NodeType, attrs?: Record<string, unknown>): Command =>
  (state, dispatch) => {
    const { paragraph } = state.schema.nodes;
    const isOn = isActive(state, block, attrs);
    return paragraph !== undefined && setBlockType(isOn ? paragraph : block, isOn ? null : attrs)(state, dispatch);
  };

const liftIf =
  (list: NodeType, item: NodeType): Command =>
  (state, dispatch) =>
    isActive(state, list) && liftListItem(item)(state, dispatch);

const divide: Command = (state, dispatch) => {
  const rule = state.schema.nodes.horizontal_rule;
  if (!rule) return false;
  dispatch?.(state.tr.replaceSelectionWith(rule.create()).scrollIntoView());
  return true;
};

/** The tools that format a document of a schema, in the order of the toolbar. */
export function toolsOf({ marks, nodes }: Schema): Tool[] {
  const mark = (name: string, text: string, type: MarkType | undefined, icon?: string): Tool[] =>
    type ? [{ name, text, ...(icon && { icon }), type, command: toggleMark(type) }] : [];
  const { heading, bullet_list: bullets, ordered_list: numbers, list_item: item, blockquote, code_block: code } = nodes;
  if (!heading || !bullets || !numbers || !item || !blockquote || !code) throw new Error('the schema lacks blocks');
  const list = (name: string, icon: string, type: NodeType): Tool => ({
    ...{ name, icon, type, isBlock: true },
    command: chainCommands(liftIf(type, item), wrapInList(type)),
  });
  const tableTool = (name: string, command: Command): Tool => ({
    name,
    text: name,
    command,
    isShown: isInTable,
  });
  return [
    ...mark(t('Bold'), 'B', marks.strong),
    ...mark(t('Italic'), 'I', marks.em),
    ...mark(t('Underline'), 'U', marks.underline),
    ...mark(t('Strikethrough'), 'S', marks.strike),
    ...mark(t('Code'), '<>', marks.code),
    ...mark(t('Superscript'), '', marks.superscript, 'M4 8l8 10M12 8L4 18M16 5.5c0-2 4-2 4 0 0 1.5-4 3-4 4h4'),
    ...mark(t('Subscript'), '', marks.subscript, 'M4 6l8 10M12 6L4 16M16 15.5c0-2 4-2 4 0 0 1.5-4 3-4 4h4'),
    ...[2, 3, 4].map((level) => ({
      ...{ name: t('H{level} heading', { level }), text: `H${level}`, type: heading, attrs: { level }, isBlock: true },
      command: toggleBlock(heading, { level }),
    })),
    list(t('Bullet list'), 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01', bullets),
    list(t('Numbered list'), 'M10 6h10M10 12h10M10 18h10M4 4.5h1.5V9M4 14.5h2.5L4 19h2.5', numbers),
    { name: t('Quote'), text: '”', type: blockquote, isBlock: true, command: wrapIn(blockquote) },
    { name: t('Code block'), text: '{}', type: code, isBlock: true, command: toggleBlock(code) },
    { name: t('Divider'), icon: 'M4 12h16', isBlock: true, command: divide },
    ...(nodes.table
      ? [
          { name: t('Table'), icon: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14', isBlock: true, command: insertTable },
          tableTool(t('Add row'), addRow),
          tableTool(t('Add column'), addColumn),
          tableTool(t('Delete row'), deleteRow),
          tableTool(t('Delete column'), deleteColumn),
          tableTool(t('Delete table'), deleteTable),
        ]
      : []),
    { name: t('Undo'), icon: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3', command: undo },
    { name: t('Redo'), icon: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3', command: redo },
  ];
}
