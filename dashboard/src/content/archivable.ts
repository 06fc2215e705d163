interface Archivable {
  key: string;
  status: 'active' | 'deleted';
  isNew: boolean;
}

/** The active and archived items of a list that is edited, and its changes. Archived items stay behind the active ones. */
export function archivable<Item extends Archivable>(items: readonly Item[], onChange: (items: Item[]) => void) {
  const active = items.filter(({ status }) => status === 'active');
  const archived = items.filter(({ status }) => status !== 'active');
  const replace = (changed: Item) => onChange(items.map((item) => (item.key === changed.key ? changed : item)));
  return {
    active,
    archived,
    replace,
    setActive: (next: readonly Item[]) => onChange([...next, ...archived]),
    /** Archives an item; one that was never saved is removed. */
    remove: (item: Item) =>
      item.isNew ? onChange(items.filter(({ key }) => key !== item.key)) : replace({ ...item, status: 'deleted' }),
  };
}
