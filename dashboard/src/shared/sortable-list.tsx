import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../languages/translate.ts';
import { Icon } from './icons.tsx';

interface SortableListProps<T extends { key: string }> {
  items: readonly T[];
  onChange: (items: T[]) => void;
  /** Names an item for keyboard users. */
  nameOf: (item: T) => string;
  children: (item: T, handle: ReactNode) => ReactNode;
}

const INSTRUCTIONS = t('Space picks it up, the arrow keys move it, space drops it, and Escape leaves it where it was.');

/** A list sorted by drag and drop with a mouse, by touch, or with the keyboard (space, arrows, space). */
export function SortableList<T extends { key: string }>({ items, onChange, nameOf, children }: SortableListProps<T>) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return;
    const at = (key: unknown) => items.findIndex((item) => item.key === key);
    onChange(arrayMove([...items], at(active.id), at(over.id)));
  };
  const placeOf = ({ active, over }: Pick<DragEndEvent, 'active' | 'over'>) => {
    const at = items.findIndex(({ key }) => key === (over ?? active).id);
    const item = items.find(({ key }) => key === active.id);
    return { name: item ? nameOf(item) : '', at: at + 1, count: items.length };
  };
  const announcements: Announcements = {
    onDragStart: ({ active }) => t('{name} picked up, {at} of {count}.', placeOf({ active, over: null })),
    onDragOver: (event) => t('{name} is at {at} of {count}.', placeOf(event)),
    onDragEnd: (event) => t('{name} moved to {at} of {count}.', placeOf(event)),
    onDragCancel: ({ active }) => t('{name} stays where it was.', placeOf({ active, over: null })),
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{ screenReaderInstructions: { draggable: INSTRUCTIONS }, announcements }}
    >
      <SortableContext items={items.map(({ key }) => key)} strategy={verticalListSortingStrategy}>
        {items.map((item) => (
          <SortableItem key={item.key} id={item.key} name={nameOf(item)}>
            {(handle) => children(item, handle)}
          </SortableItem>
        ))}
      </SortableContext>
    </DndContext>
  );
}

function SortableItem({
  id,
  name,
  children,
}: {
  id: string;
  name: string;
  children: (handle: ReactNode) => ReactNode;
}) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  const handle = (
    <ActionIcon
      ref={setActivatorNodeRef}
      {...attributes}
      {...listeners}
      aria-label={t('Move {name}', { name })}
      style={{ cursor: 'grab', touchAction: 'none' }}
    >
      <Icon name="drag" size={16} />
    </ActionIcon>
  );
  return (
    <div
      ref={setNodeRef}
      style={{
        transform: CSS.Translate.toString(transform),
        transition,
        position: 'relative',
        zIndex: isDragging ? 2 : undefined,
        opacity: isDragging ? 0.85 : undefined,
      }}
    >
      {children(handle)}
    </div>
  );
}
