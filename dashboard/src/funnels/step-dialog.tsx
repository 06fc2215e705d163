import { ActionIcon, Autocomplete, Button, Fieldset, Group, Select, Stack, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { Dialog } from '../shared/dialogs.tsx';
import { Icon } from '../shared/icons.tsx';
import {
  type Action,
  CONDITION_OPERATORS,
  CONDITION_WORDS,
  type Condition,
  MAX_ALTERNATIVES,
  MAX_CONDITIONS,
  type Step,
} from './funnel-state.ts';
import { NameInput } from './name-input.tsx';
import { type Range, useSeenProperties } from './suggestions.ts';

interface StepDialogProps {
  step: Step;
  range: Range;
  onSave: (step: Step) => void;
  onClose: () => void;
}

/** Edits a step: alternatives, and conditions on the properties of events. */
export function StepDialog({ step, range, onSave, onClose }: StepDialogProps) {
  const { or = [], ...first } = step;
  const [actions, setActions] = useState<Action[]>([first, ...or]);
  const change = (at: number, action: Action) => setActions(actions.map((each, i) => (i === at ? action : each)));
  const isComplete = actions.every(
    ({ name, where = [] }) =>
      name.trim() !== '' && where.every(({ property, values }) => property.trim() !== '' && values.length > 0),
  );
  const save = () => {
    const [main, ...others] = actions;
    if (main) onSave({ ...main, ...(others.length > 0 && { or: others }) });
  };
  return (
    <Dialog onClose={onClose} title={t('Edit step')} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack>
          {actions.map((action, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: alternatives have no other identity
            <Fieldset key={at} legend={at === 0 ? t('Step') : t('Or')}>
              <Stack gap="xs">
                <Group gap="xs" align="flex-end" wrap="nowrap">
                  <NameInput action={action} range={range} onChange={(next) => change(at, next)} />
                  {actions.length > 1 && (
                    <ActionIcon
                      size="lg"
                      aria-label={t('Remove alternative {at}', { at: at + 1 })}
                      onClick={() => setActions(actions.filter((_, i) => i !== at))}
                    >
                      <Icon name="close" size={16} />
                    </ActionIcon>
                  )}
                </Group>
                {action.type === 'event' && (
                  <Conditions action={action} range={range} onChange={(next) => change(at, next)} />
                )}
              </Stack>
            </Fieldset>
          ))}
          <Group justify="space-between">
            <Button
              variant="default"
              leftSection={<Icon name="plus" size={16} />}
              disabled={actions.length >= MAX_ALTERNATIVES}
              onClick={() => setActions([...actions, { type: 'page', name: '' }])}
            >
              {t('Add alternative')}
            </Button>
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                {t('Cancel')}
              </Button>
              <Button type="submit" disabled={!isComplete}>
                {t('Apply')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

interface ConditionsProps {
  action: Action;
  range: Range;
  onChange: (action: Action) => void;
}

function Conditions({ action, range, onChange }: ConditionsProps) {
  const { where = [], ...rest } = action;
  const set = (next: Condition[]) => onChange({ ...rest, ...(next.length > 0 && { where: next }) });
  return (
    <>
      {where.map((condition, at) => (
        <ConditionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other identity
          key={at}
          event={action.name}
          condition={condition}
          range={range}
          onChange={(next) => set(where.map((each, i) => (i === at ? next : each)))}
          onRemove={() => set(where.filter((_, i) => i !== at))}
        />
      ))}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="plus" size={14} />}
          disabled={where.length >= MAX_CONDITIONS || action.name === ''}
          onClick={() => set([...where, { property: '', operator: 'is', values: [] }])}
        >
          {t('Add condition')}
        </Button>
      </div>
    </>
  );
}

interface ConditionFieldsProps {
  event: string;
  condition: Condition;
  range: Range;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}

function ConditionFields({ event, condition, range, onChange, onRemove }: ConditionFieldsProps) {
  const { names, values } = useSeenProperties(event, condition.property, range);
  return (
    <Group gap="xs" align="flex-end">
      <Autocomplete
        label={t('Property')}
        w={150}
        data={names}
        value={condition.property}
        onChange={(property) => onChange({ ...condition, property })}
      />
      <Select
        label={t('Operator')}
        w={150}
        allowDeselect={false}
        data={CONDITION_OPERATORS.map((value) => ({ value, label: CONDITION_WORDS[value] }))}
        value={condition.operator}
        onChange={(operator) => onChange({ ...condition, operator: (operator ?? 'is') as Condition['operator'] })}
      />
      <TagsInput
        label={t('Values')}
        flex={1}
        miw={140}
        acceptValueOnBlur
        data={condition.operator === 'is' || condition.operator === 'isNot' ? values : []}
        value={condition.values}
        onChange={(next) => onChange({ ...condition, values: next })}
      />
      <ActionIcon size="lg" aria-label={t('Remove condition')} onClick={onRemove}>
        <Icon name="close" size={16} />
      </ActionIcon>
    </Group>
  );
}
