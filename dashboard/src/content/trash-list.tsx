import { type ReactNode, useState } from 'react';
import { t } from '../languages/translate.ts';
import { DataTable, timeColumn } from '../shared/data-table.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { forEachConcurrently } from '../shared/for-each-concurrently.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { notify, notifyError } from '../shared/notify.tsx';
import type { ListQuery } from '../shared/paged-query.ts';
import { SelectionBar } from '../shared/selection-bar.tsx';

interface TrashItem {
  id: string;
  name: string;
  /** Entry count or author. */
  note: string;
  deletedAt: string;
}

interface TrashListProps {
  query: ListQuery<TrashItem>;
  /** The name of the table: "Deleted entries". */
  label: string;
  /** "3 entries". */
  countOf: (count: number) => string;
  noteLabel: string;
  linkOf?: (item: TrashItem) => string;
  restore: (id: string) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
  onChanged: () => void;
  /** What deleting these items permanently destroys. */
  warning: (items: TrashItem[]) => ReactNode;
  empty: ReactNode;
  /** Whether the user may restore and delete. */
  mayEdit: boolean;
}

/** Deleted items, which can be restored or deleted permanently, one or many at once. */
export function TrashList(props: TrashListProps) {
  const { query, label, countOf, noteLabel, linkOf, restore, remove, onChanged, warning, empty, mayEdit } = props;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [toDelete, setToDelete] = useState<TrashItem[]>();
  const [progress, setProgress] = useState<number>();
  const chosen = (query.data ?? []).filter(({ id }) => selected.has(id));
  const nameAll = (items: readonly TrashItem[]) =>
    items.length === 1 && items[0] ? items[0].name : countOf(items.length);

  const changeEach = async (
    items: TrashItem[],
    change: (id: string) => Promise<unknown>,
    done: (name: string, count: number) => string,
  ) => {
    const { failure } = await forEachConcurrently(items, ({ id }) => change(id), setProgress);
    setProgress(undefined);
    setSelected(new Set());
    onChanged();
    if (failure) notifyError(failure);
    else notify(done(nameAll(items), items.length));
  };
  const restoreAll = (items: TrashItem[]) =>
    changeEach(items, restore, (name, count) =>
      t('{count, plural, one {{name} was restored.} other {{name} were restored.}}', { count, name }),
    );
  return (
    <>
      {chosen.length > 0 && (
        <SelectionBar
          count={chosen.length}
          label={t('Selected: {name}', { name: countOf(chosen.length) })}
          progress={progress}
          onClear={() => setSelected(new Set())}
        >
          <IconButton icon="restore" variant="default" size="compact-sm" onClick={() => restoreAll(chosen)}>
            {t('Restore')}
          </IconButton>
          <IconButton icon="trash" variant="default" size="compact-sm" onClick={() => setToDelete(chosen)}>
            {t('Delete permanently')}
          </IconButton>
        </SelectionBar>
      )}
      <DataTable
        label={label}
        isDense
        minWidth={340}
        query={query}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowLink={linkOf}
        empty={empty}
        selection={mayEdit ? { selected, onChange: setSelected } : undefined}
        columns={[
          { id: 'name', label: t('Name'), cell: ({ name }) => name },
          { id: 'note', label: noteLabel, cell: ({ note }) => note },
          { ...timeColumn<TrashItem>('deleted', t('Deleted'), ({ deletedAt }) => deletedAt), isDimmed: true },
        ]}
        actions={
          mayEdit
            ? (item) => [
                { label: t('Restore'), icon: 'restore', onClick: () => restoreAll([item]) },
                {
                  label: t('Delete permanently'),
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
          title={t('Delete {toDelete} permanently?', { toDelete: nameAll(toDelete) })}
          action={t('Delete permanently')}
          run={() =>
            changeEach(toDelete, remove, (name, count) =>
              t('{count, plural, one {{name} was deleted permanently.} other {{name} were deleted permanently.}}', {
                count,
                name,
              }),
            )
          }
        >
          {warning(toDelete)}
        </ConfirmDialog>
      )}
    </>
  );
}
