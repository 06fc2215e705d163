import { ActionIcon, Box, Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { inSentence, t } from '../languages/translate.ts';
import { Dialog } from '../shared/dialogs.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { ConditionInputs, completed, type PartialCondition } from './condition-inputs.tsx';
import type { FilterPath } from './filter-paths.ts';
import { type FilterGroup, isGroup } from './filter-tree.ts';

/** The API allows six. */
const MAX_DEPTH = 4;

interface EditedGroup {
  key: number;
  match: FilterGroup['match'];
  items: EditedItem[];
}
type EditedItem = EditedGroup | { key: number; condition: PartialCondition | undefined };

const isEditedGroup = (item: EditedItem): item is EditedGroup => 'match' in item;

let lastKey = 0;
const newCondition = (condition?: PartialCondition): EditedItem => ({ key: ++lastKey, condition });

const toEdited = ({ match, items }: FilterGroup): EditedGroup => ({
  key: ++lastKey,
  match,
  items: items.map((item) => (isGroup(item) ? toEdited(item) : newCondition(item))),
});

/** Without conditions that lack a value, and without groups that are empty. */
const toFilters = ({ match, items }: EditedGroup): FilterGroup => ({
  match,
  items: items.flatMap((item) => {
    if (!isEditedGroup(item)) return (item.condition && completed(item.condition)) ?? [];
    const group = toFilters(item);
    return group.items.length > 0 ? group : [];
  }),
});

interface FilterBuilderProps {
  title?: string;
  paths: readonly FilterPath[];
  filters: FilterGroup;
  onApply: (filters: FilterGroup) => void;
  onClose: () => void;
}

/** Combines conditions by and, or and not, in groups within each other. */
export default function FilterBuilder({ title = t('Filters'), paths, filters, onApply, onClose }: FilterBuilderProps) {
  const [root, setRoot] = useState(() => {
    const edited = toEdited(filters);
    return edited.items.length > 0 ? edited : { ...edited, items: [newCondition()] };
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form of the page that opened the dialog is not sent with it.
    event.stopPropagation();
    onApply(toFilters(root));
    onClose();
  };
  return (
    <Dialog title={title} size="xl" onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          <GroupEditor paths={paths} group={root} onChange={setRoot} depth={1} name={t('Entries')} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit">{t('Apply')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

interface GroupEditorProps {
  paths: readonly FilterPath[];
  group: EditedGroup;
  onChange: (group: EditedGroup) => void;
  onRemove?: () => void;
  depth: number;
  name: string;
}

function GroupEditor({ paths, group, onChange, onRemove, depth, name }: GroupEditorProps) {
  const element = useRef<HTMLFieldSetElement>(null);
  const { items } = group;
  const set = (key: number, next: EditedItem | undefined) =>
    onChange({ ...group, items: items.flatMap((item) => (item.key === key ? (next ?? []) : item)) });
  const add = (item: EditedItem) => {
    onChange({ ...group, items: [...items, item] });
    requestAnimationFrame(() => {
      const inputs = element.current?.querySelectorAll<HTMLElement>(`input[aria-label="${t('Field')}"]`);
      inputs?.[inputs.length - 1]?.focus();
    });
  };
  return (
    <Box component="fieldset" ref={element} className="surface filter-group" p="sm" m={0}>
      <Group gap="xs" mb="xs" wrap="nowrap">
        <SegmentedControl
          size="xs"
          aria-label={t('{name} match', { name })}
          value={group.match}
          onChange={(match) => onChange({ ...group, match: match as EditedGroup['match'] })}
          data={[
            { value: 'all', label: t('All (and)') },
            { value: 'any', label: t('Any (or)') },
            { value: 'none', label: t('None (not)') },
          ]}
        />
        <Box flex={1} />
        {onRemove && (
          <ActionIcon aria-label={t('Remove {name}', { name: inSentence(name) })} onClick={onRemove}>
            <Icon name="close" size={15} />
          </ActionIcon>
        )}
      </Group>
      <Stack gap="xs">
        {items.map((item, i) =>
          isEditedGroup(item) ? (
            <GroupEditor
              key={item.key}
              paths={paths}
              group={item}
              onChange={(next) => set(item.key, next)}
              onRemove={() => set(item.key, undefined)}
              depth={depth + 1}
              name={t('Group {i}', { i: i + 1 })}
            />
          ) : (
            <Group
              key={item.key}
              gap="xs"
              className="filter-row"
              role="group"
              aria-label={t('Condition {i}', { i: i + 1 })}
            >
              <ConditionInputs
                isRow
                paths={paths}
                value={item.condition}
                onChange={(condition) => set(item.key, { ...item, condition })}
              />
              <ActionIcon aria-label={t('Remove condition {i}', { i: i + 1 })} onClick={() => set(item.key, undefined)}>
                <Icon name="close" size={15} />
              </ActionIcon>
            </Group>
          ),
        )}
      </Stack>
      <Group gap="xs" mt="xs">
        <IconButton icon="plus" variant="subtle" size="compact-sm" onClick={() => add(newCondition())}>
          {t('Add condition')}
        </IconButton>
        {depth < MAX_DEPTH && (
          <IconButton
            icon="plus"
            variant="subtle"
            size="compact-sm"
            onClick={() =>
              add({ key: ++lastKey, match: group.match === 'any' ? 'all' : 'any', items: [newCondition()] })
            }
          >
            {t('Add group')}
          </IconButton>
        )}
      </Group>
    </Box>
  );
}
