import {
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
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDragEnd}>
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
