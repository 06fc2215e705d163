import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../languages/translate.ts';
import { Icon } from '../shared/icons.tsx';
import { SortableList } from '../shared/sortable-list.tsx';
import { type Action, definitionOf, MAX_STEPS, type Step, stepText } from './funnel-state.ts';
import { NameInput } from './name-input.tsx';
import { StepDialog } from './step-dialog.tsx';
import type { Range } from './suggestions.ts';

interface FunnelStepsProps {
  steps: Step[];
  range: Range;
  onChange: (steps: Step[]) => void;
}

/** The steps of a funnel: sorted, edited, removed and added. */
export function FunnelSteps({ steps, range, onChange }: FunnelStepsProps) {
  const [action, setAction] = useState<Action>({ type: 'page', name: '' });
  const [edited, setEdited] = useState<number>();
  const items = steps.map((step, at) => ({ step, at, text: textOf(step), key: `${at} ${textOf(step)}` }));
  const editedStep = edited === undefined ? undefined : steps[edited];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (action.name.trim() === '') return;
    onChange([...steps, { ...action, name: action.name.trim() }]);
    setAction({ type: action.type, name: '' });
  };
  return (
    <Stack className="surface" p="md" gap="xs">
      <SortableList
        items={items}
        onChange={(sorted) => onChange(sorted.map(({ step }) => step))}
        nameOf={(item) => item.text}
      >
        {({ step, at, text }, handle) => (
          <Group gap="xs" wrap="nowrap">
            {handle}
            <Text size="sm" c="dimmed" w={52}>
              {step.or ? t('Any of') : step.type === 'page' ? t('Page') : t('Event')}
            </Text>
            <Text size="sm" fw={550} flex={1} style={{ overflowWrap: 'anywhere' }}>
              {text}
            </Text>
            <ActionIcon aria-label={t('Edit {text}', { text })} onClick={() => setEdited(at)}>
              <Icon name="edit" size={16} />
            </ActionIcon>
            <ActionIcon
              aria-label={t('Remove {text}', { text })}
              onClick={() => onChange(steps.filter((_, position) => position !== at))}
            >
              <Icon name="close" size={16} />
            </ActionIcon>
          </Group>
        )}
      </SortableList>
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-end">
          <NameInput action={action} range={range} onChange={setAction} />
          <Button
            type="submit"
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            disabled={action.name.trim() === '' || steps.length >= MAX_STEPS}
          >
            {t('Add step')}
          </Button>
        </Group>
      </form>
      {editedStep && (
        <StepDialog
          step={editedStep}
          range={range}
          onClose={() => setEdited(undefined)}
          onSave={(step) => {
            onChange(steps.map((each, at) => (at === edited ? step : each)));
            setEdited(undefined);
          }}
        />
      )}
    </Stack>
  );
}

const textOf = (step: Step) =>
  definitionOf({ steps: [step] })
    .steps.map(stepText)
    .join();
