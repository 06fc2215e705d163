import { type ReactNode, useState } from 'react';
import { useMayEdit } from '../service/session.ts';
import { DataTable, timeColumn } from '../shared/data-table.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { forEachConcurrently } from '../shared/for-each-concurrently.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { notify, notifyError } from '../shared/notify.tsx';
import type { ListQuery } from '../shared/paged-query.ts';
import { SelectionBar } from '../shared/selection-bar.tsx';

export interface TrashItem {
  id: string;
  name: string;
  /** Entry count or author. */
  note: string;
  deletedAt: string;
}

interface TrashListProps {
  query: ListQuery<TrashItem>;
  nouns: readonly [singular: string, plural: string];
  noteLabel: string;
  linkOf?: (item: TrashItem) => string;
  restore: (id: string) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
  onChanged: () => void;
  /** What deleting these items permanently destroys. */
  warning: (items: TrashItem[]) => ReactNode;
  empty: ReactNode;
}

/** Deleted items, which can be restored or deleted permanently, one or many at once. */
export function TrashList(props: TrashListProps) {
  const { query, nouns, noteLabel, linkOf, restore, remove, onChanged, warning, empty } = props;
  const mayEdit = useMayEdit();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [toDelete, setToDelete] = useState<TrashItem[]>();
  const [progress, setProgress] = useState<number>();
  const chosen = (query.data ?? []).filter(({ id }) => selected.has(id));
  const nameAll = (items: readonly TrashItem[]) =>
    items.length === 1 && items[0] ? items[0].name : `${items.length} ${nouns[1]}`;

  const changeEach = async (items: TrashItem[], change: (id: string) => Promise<unknown>, verb: string) => {
    const { failure } = await forEachConcurrently(items, ({ id }) => change(id), setProgress);
    setProgress(undefined);
    setSelected(new Set());
    onChanged();
    if (failure) notifyError(failure);
    else notify(`${nameAll(items)} ${items.length === 1 ? 'was' : 'were'} ${verb}.`);
  };
  const restoreAll = (items: TrashItem[]) => changeEach(items, restore, 'restored');
  return (
    <>
      {chosen.length > 0 && (
        <SelectionBar count={chosen.length} nouns={nouns} progress={progress} onClear={() => setSelected(new Set())}>
          <IconButton icon="restore" variant="default" size="compact-sm" onClick={() => restoreAll(chosen)}>
            Restore
          </IconButton>
          <IconButton icon="trash" variant="default" size="compact-sm" onClick={() => setToDelete(chosen)}>
            Delete permanently
          </IconButton>
        </SelectionBar>
      )}
      <DataTable
        label={`Deleted ${nouns[1]}`}
        isDense
        minWidth={340}
        query={query}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowLink={linkOf}
        empty={empty}
        selection={mayEdit ? { selected, onChange: setSelected } : undefined}
        columns={[
          { id: 'name', label: 'Name', cell: ({ name }) => name },
          { id: 'note', label: noteLabel, cell: ({ note }) => note },
          { ...timeColumn<TrashItem>('deleted', 'Deleted', ({ deletedAt }) => deletedAt), isDimmed: true },
        ]}
        actions={
          mayEdit
            ? (item) => [
                { label: 'Restore', icon: 'restore', onClick: () => restoreAll([item]) },
                {
                  label: 'Delete permanently',
                  icon: 'trash',
                  isDestructive: true,
                  onClick: () => setToDelete([item]),
                },
              ]
            : undefined
        }
      />
      {toDelete && (
        <ConfirmDialog
          onClose={() => setToDelete(undefined)}
          title={`Delete ${nameAll(toDelete)} permanently?`}
          action="Delete permanently"
          run={() => changeEach(toDelete, remove, 'deleted permanently')}
        >
          {warning(toDelete)}
        </ConfirmDialog>
      )}
    </>
  );
}
