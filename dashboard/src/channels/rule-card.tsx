import { ActionIcon, Badge, Box, Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../languages/translate.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { ConditionRow } from './condition-row.tsx';
import { type EditedGroup, type EditedItem, type EditedRule, isGroup, newCondition, newGroup } from './edited-rules.ts';

type Errors = ReadonlyMap<string, string>;

/** The error at a pointer, or the first one below it. */
const errorAt = (errors: Errors, pointer: string) =>
  errors.get(pointer) ?? [...errors].find(([each]) => each.startsWith(`${pointer}/`))?.[1];

interface RuleCardProps {
  rule: EditedRule;
  handle: ReactNode;
  errors: Errors;
  pointer: string;
  /** How many sessions it takes, if that was asked. */
  sessions: string | undefined;
  onChange: (rule: EditedRule) => void;
  onRemove: () => void;
}

/** A rule: the name of its channel, and the conditions of its sessions. */
export function RuleCard({ rule, handle, errors, pointer, sessions, onChange, onRemove }: RuleCardProps) {
  const name = rule.name || t('new rule');
  return (
    <Box component="section" aria-label={name} className="surface" p="sm" mb="sm">
      <Group gap="xs" wrap="nowrap" align="flex-start" mb="xs">
        {handle}
        <TextInput
          aria-label={t('Channel')}
          placeholder={t('Channel')}
          size="xs"
          flex={1}
          required
          maxLength={100}
          value={rule.name}
          error={errors.get(`${pointer}/name`)}
          onChange={(event) => onChange({ ...rule, name: event.currentTarget.value })}
        />
        {sessions && (
          <Badge variant="light" size="lg" style={{ flexShrink: 0 }}>
            {sessions}
          </Badge>
        )}
        <ActionIcon aria-label={t('Remove {name}', { name })} onClick={onRemove}>
          <Icon name="trash" size={15} />
        </ActionIcon>
      </Group>
      <Conditions group={rule} pointer={pointer} errors={errors} onChange={(next) => onChange({ ...rule, ...next })} />
    </Box>
  );
}

interface ConditionsProps {
  group: Pick<EditedRule, 'match' | 'conditions'>;
  pointer: string;
  errors: Errors;
  isInner?: boolean;
  onChange: (group: Pick<EditedRule, 'match' | 'conditions'>) => void;
}

/** Conditions of which all or any have to hold, and groups of them. */
function Conditions({ group, pointer, errors, isInner = false, onChange }: ConditionsProps) {
  const { match, conditions } = group;
  const set = (key: string, next: EditedItem | undefined) =>
    onChange({ match, conditions: conditions.flatMap((item) => (item.key === key ? (next ?? []) : item)) });
  const add = (item: EditedItem) => onChange({ match, conditions: [...conditions, item] });
  return (
    <Stack gap="xs">
      {conditions.length > 1 && (
        <SegmentedControl
          size="xs"
          w="fit-content"
          aria-label={t('Conditions match')}
          value={match}
          onChange={(next) => onChange({ match: next as EditedGroup['match'], conditions })}
          data={[
            { value: 'all', label: t('All (and)') },
            { value: 'any', label: t('Any (or)') },
          ]}
        />
      )}
      {conditions.map((item, i) => {
        const at = `${pointer}/conditions/${i}`;
        const onRemove = conditions.length > 1 ? () => set(item.key, undefined) : undefined;
        if (!isGroup(item)) {
          return (
            <ConditionRow
              key={item.key}
              condition={item}
              name={t('Condition {i}', { i: i + 1 })}
              error={errorAt(errors, at)}
              onChange={(next) => set(item.key, next)}
              onRemove={onRemove}
            />
          );
        }
        const setGroup = (next: Pick<EditedRule, 'match' | 'conditions'>) =>
          set(item.key, {
            ...item,
            match: next.match,
            conditions: next.conditions.flatMap((each) => (isGroup(each) ? [] : each)),
          });
        return (
          <Box key={item.key} component="fieldset" className="surface filter-group" p="sm" m={0}>
            <Conditions group={item} pointer={at} errors={errors} isInner onChange={setGroup} />
            {onRemove && (
              <IconButton icon="close" variant="subtle" color="gray" size="compact-sm" mt="xs" onClick={onRemove}>
                {t('Remove group')}
              </IconButton>
            )}
          </Box>
        );
      })}
      <Group gap="xs">
        <IconButton icon="plus" variant="subtle" size="compact-sm" onClick={() => add(newCondition())}>
          {t('Add condition')}
        </IconButton>
        {!isInner && (
          <IconButton
            icon="plus"
            variant="subtle"
            size="compact-sm"
            onClick={() => add(newGroup(match === 'any' ? 'all' : 'any'))}
          >
            {t('Add group')}
          </IconButton>
        )}
      </Group>
    </Stack>
  );
}
