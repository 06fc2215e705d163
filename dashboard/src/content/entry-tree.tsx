import {
  DndContext,
  type DragEndEvent,
  type DragMoveEvent,
  PointerSensor,
  pointerWithin,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import type { Collection, Entry } from '@headwater/sdk';
import { ActionIcon, Box, Group, Menu, Text, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { Icon } from '../shared/icons.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { notifyWithUndo } from '../shared/notify.tsx';
import { Loaded } from '../shared/states.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { useRights } from '../users/rights.ts';
import { entryTitle } from './entry-title.ts';
import classes from './entry-tree.module.css';
import { invalidateEntries, treeQuery } from './queries.ts';

type Place = 'before' | 'inside' | 'after';

/** An entry with its neighbors, as the tree shows it. */
interface Node {
  entry: Entry;
  depth: number;
  parent: Node | undefined;
  siblings: readonly Entry[];
  at: number;
}

type Move = Parameters<typeof headwater.moveEntry>[1];

function flatten(entries: readonly Entry[], folded: ReadonlySet<string>, parent?: Node): Node[] {
  return entries.flatMap((entry, at) => {
    const node: Node = { entry, depth: parent ? parent.depth + 1 : 0, parent, siblings: entries, at };
    return [node, ...(folded.has(entry.id) ? [] : flatten(entry.children ?? [], folded, node))];
  });
}

/** Where an entry is now, as the move that brings it back. */
const placeOf = ({ parent, siblings, at }: Node, isTree: boolean): Move => ({
  ...(siblings[at - 1] ? { after: siblings[at - 1]?.id } : { first: true as const }),
  ...(isTree && { parentId: parent?.entry.id ?? null }),
});

/** What brings an entry to a place at another one. */
function moveTo(target: Node, place: Place, isTree: boolean): Move {
  if (place === 'inside') return { parentId: target.entry.id, last: true };
  return { [place]: target.entry.id, ...(isTree && { parentId: target.parent?.entry.id ?? null }) };
}

interface EntryTreeProps {
  collection: Collection;
  empty: ReactNode;
}

/** The entries of a collection in the order that people gave them, in a tree below each other: moved by mouse, touch or menu. */
export default function EntryTree({ collection, empty }: EntryTreeProps) {
  const { id: collectionId, tree: isTree = false } = collection;
  const query = useInfiniteQuery(treeQuery(collectionId, isTree));
  const mayEdit = useRights().may('update', collection.id);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [drop, setDrop] = useState<{ id: string; place: Place }>();
  const [announcement, announce] = useState('');
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));
  const nodes = flatten(query.data ?? [], folded);
  const move = useMutation({
    mutationFn: ({ node, to }: { node: Node; to: Move; said: string }) =>
      headwater.moveEntry({ collectionId, entryId: node.entry.id }, to),
    onSuccess: (_, { node, said }) => {
      invalidateEntries(collectionId);
      announce(said);
      const back = placeOf(node, isTree);
      notifyWithUndo(said, async () => {
        await headwater.moveEntry({ collectionId, entryId: node.entry.id }, back);
        invalidateEntries(collectionId);
      });
    },
  });
  const titleOf = (entry: Entry) => entryTitle(collection, entry);
  const isWithin = (node: Node | undefined, id: string): boolean =>
    node !== undefined && (node.entry.id === id || isWithin(node.parent, id));
  const placeFor = ({ active, over, activatorEvent, delta }: DragMoveEvent | DragEndEvent) => {
    const target = over && nodes.find(({ entry }) => entry.id === over.id);
    if (!target || !(activatorEvent instanceof PointerEvent) || isWithin(target, String(active.id))) return undefined;
    const share = (activatorEvent.clientY + delta.y - over.rect.top) / over.rect.height;
    const place: Place = isTree && share > 0.3 && share < 0.7 ? 'inside' : share < 0.5 ? 'before' : 'after';
    return { target, place };
  };
  const onDragEnd = (event: DragEndEvent) => {
    setDrop(undefined);
    const found = placeFor(event);
    const node = nodes.find(({ entry }) => entry.id === event.active.id);
    if (!found || !node) return;
    const said = saidOf(found.place, titleOf(node.entry), titleOf(found.target.entry));
    move.mutate({ node, to: moveTo(found.target, found.place, isTree), said });
  };
  const actionsOf = (node: Node): { label: string; to: Move; said: string }[] => {
    const { siblings, at, parent, entry } = node;
    const [before, after] = [siblings[at - 1], siblings[at + 1]];
    const parentId = parent?.entry.id ?? null;
    const beside = isTree ? { parentId } : {};
    const title = titleOf(entry);
    return [
      ...(before
        ? [{ label: t('Move up'), to: { before: before.id, ...beside }, said: t('{title} moved up.', { title }) }]
        : []),
      ...(after
        ? [{ label: t('Move down'), to: { after: after.id, ...beside }, said: t('{title} moved down.', { title }) }]
        : []),
      ...(isTree && before
        ? [
            {
              label: t('Move below {before}', { before: titleOf(before) }),
              to: { parentId: before.id, last: true as const },
              said: saidOf('inside', title, titleOf(before)),
            },
          ]
        : []),
      ...(parent
        ? [
            {
              label: t('Move out'),
              to: { after: parent.entry.id, parentId: parent.parent?.entry.id ?? null },
              said: saidOf('after', title, titleOf(parent.entry)),
            },
          ]
        : []),
    ];
  };
  const toggle = (id: string) => {
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    setFolded(next);
  };
  return (
    <Loaded query={query} rows={6} label={t('Loading entries')}>
      {(top) =>
        top.length === 0 ? (
          <div className="surface">{empty}</div>
        ) : (
          <>
            <DndContext
              sensors={sensors}
              collisionDetection={pointerWithin}
              onDragMove={(event) => {
                const found = placeFor(event);
                setDrop(found && { id: found.target.entry.id, place: found.place });
              }}
              onDragEnd={onDragEnd}
              onDragCancel={() => setDrop(undefined)}
            >
              <ul className={`surface ${classes.tree}`} aria-label={t('Entries')}>
                {nodes.map((node) => (
                  <TreeRow
                    key={node.entry.id}
                    node={node}
                    title={titleOf(node.entry)}
                    path={`/content/${collectionId}/${node.entry.id}`}
                    isFolded={folded.has(node.entry.id)}
                    onFold={() => toggle(node.entry.id)}
                    drop={drop?.id === node.entry.id ? drop.place : undefined}
                    actions={
                      mayEdit
                        ? actionsOf(node).map(({ label, ...rest }) => ({
                            label,
                            run: () => move.mutate({ node, ...rest }),
                          }))
                        : undefined
                    }
                  />
                ))}
              </ul>
            </DndContext>
            <Group justify="center" mt="sm">
              <LoadMore query={query} />
            </Group>
            <VisuallyHidden role="status">{announcement}</VisuallyHidden>
          </>
        )
      }
    </Loaded>
  );
}

interface TreeRowProps {
  node: Node;
  title: string;
  path: string;
  isFolded: boolean;
  onFold: () => void;
  drop: Place | undefined;
  /** undefined: it cannot be moved. */
  actions: { label: string; run: () => void }[] | undefined;
}

function TreeRow({ node, title, path, isFolded, onFold, drop, actions }: TreeRowProps) {
  const { entry, depth } = node;
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: entry.id });
  const { setNodeRef: setDropRef } = useDroppable({ id: entry.id });
  const children = entry.children?.length ?? 0;
  return (
    <li
      ref={setDropRef}
      className={classes.row}
      data-drop={drop}
      data-dragging={isDragging || undefined}
      style={{ paddingInlineStart: 8 + depth * 24 }}
    >
      {actions && (
        <span ref={setNodeRef} {...listeners} className={classes.handle} aria-hidden>
          <Icon name="drag" size={15} />
        </span>
      )}
      {children > 0 ? (
        <ActionIcon
          size="sm"
          aria-label={isFolded ? t('Unfold {title}', { title }) : t('Fold {title}', { title })}
          aria-expanded={!isFolded}
          onClick={onFold}
        >
          <Icon name={isFolded ? 'right' : 'down'} size={14} />
        </ActionIcon>
      ) : (
        <Box w={22} />
      )}
      <Box flex={1} miw={0} dir="auto" className={classes.title}>
        <TextLink to={path}>{title}</TextLink>
        <VisuallyHidden>{t(', level {depth}', { depth: depth + 1 })}</VisuallyHidden>
      </Box>
      {isFolded && children > 0 && (
        <Text size="xs" c="dimmed">
          {children}
        </Text>
      )}
      {actions && actions.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={t('Move {title}', { title })}>
              <Icon name="more" size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {actions.map(({ label, run }) => (
              <Menu.Item key={label} onClick={run}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  );
}

function saidOf(place: Place, title: string, target: string): string {
  if (place === 'inside') return t('{title} moved below {target}.', { title, target });
  if (place === 'before') return t('{title} moved before {target}.', { title, target });
  return t('{title} moved after {target}.', { title, target });
}
