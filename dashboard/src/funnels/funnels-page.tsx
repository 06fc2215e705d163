import { ActionIcon, Alert, Button, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { DEFAULT_PERIOD, spanOf } from '../overview/overview-state.ts';
import { PeriodSwitch } from '../overview/period-switch.tsx';
import { SavedViews } from '../overview/saved-views.tsx';
import { headwater } from '../service/session.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { SortableList } from '../shared/sortable-list.tsx';
import { EmptyState, LoadingState } from '../shared/states.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { ShareButton } from '../sharing/share-button.tsx';
import { sharedPeriod } from '../sharing/shared-period.ts';
import { FunnelResult } from './funnel-result.tsx';
import { definitionOf, type FunnelState, type Step } from './funnel-state.ts';

export function FunnelsPage() {
  const [state, set] = useSearchState<FunnelState>();
  const { steps = [], period = DEFAULT_PERIOD, by } = state;
  const { from, to, timeZone } = spanOf({ period });
  const query = useQuery({
    queryKey: ['funnel', steps, by, from, to, timeZone],
    queryFn: ({ signal }) =>
      headwater.getFunnel(
        {
          from,
          to,
          timeZone,
          ...definitionOf(state),
        },
        { signal },
      ),
    enabled: steps.length > 0,
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      wide
      title="Funnels"
      description="How many visitors continue from step to step, and where they drop off. Share this URL to share the funnel."
      actions={
        <>
          <SavedViews screen="funnels" noun="funnel" />
          {steps.length > 0 && (
            <ShareButton report={{ period: sharedPeriod({ period }), funnel: definitionOf(state) }} />
          )}
          <PeriodSwitch value={period} onChange={(next) => set({ period: next })} />
          <SegmentedControl
            aria-label="Count"
            value={by ?? 'session'}
            onChange={(next) => set({ by: next === 'visitor' ? 'visitor' : undefined })}
            data={[
              { value: 'session', label: 'Sessions' },
              { value: 'visitor', label: 'Visitors' },
            ]}
          />
        </>
      }
    >
      <Steps steps={steps} onChange={(next) => set({ steps: next.length === 0 ? undefined : next })} />
      <div className="surface">
        {steps.length === 0 ? (
          <EmptyState icon="filter" title="No steps yet">
            Add the pages and events that lead to a conversion, in order: a landing page, the cart, then the purchase.
          </EmptyState>
        ) : query.isError ? (
          <Alert color="red" variant="light" m="md" role="alert">
            {errorMessage(query.error).detail}
          </Alert>
        ) : query.data ? (
          <FunnelResult funnel={query.data} />
        ) : (
          <LoadingState rows={steps.length + 1} label="Loading the funnel" />
        )}
      </div>
    </Page>
  );
}

function Steps({ steps, onChange }: { steps: Step[]; onChange: (steps: Step[]) => void }) {
  const [type, setType] = useState<Step['type']>('page');
  const [name, setName] = useState('');
  const items = steps.map((step, at) => ({ ...step, at, key: `${at} ${step.type} ${step.name}` }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    onChange([...steps, { type, name: name.trim() }]);
    setName('');
  };
  return (
    <Stack className="surface" p="md" gap="xs">
      <SortableList
        items={items}
        onChange={(sorted) => onChange(sorted.map((step) => ({ type: step.type, name: step.name })))}
        nameOf={(step) => step.name}
      >
        {(step, handle) => (
          <Group gap="xs" wrap="nowrap">
            {handle}
            <Text size="sm" c="dimmed" w={52}>
              {step.type === 'page' ? 'Page' : 'Event'}
            </Text>
            <Text size="sm" fw={550} flex={1} truncate>
              {step.name}
            </Text>
            <ActionIcon
              aria-label={`Remove ${step.name}`}
              onClick={() => onChange(steps.filter((_, at) => at !== step.at))}
            >
              <Icon name="close" size={16} />
            </ActionIcon>
          </Group>
        )}
      </SortableList>
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-end">
          <Select
            label="Step"
            w={110}
            data={[
              { value: 'page', label: 'Page' },
              { value: 'event', label: 'Event' },
            ]}
            value={type}
            onChange={(next) => setType(next as Step['type'])}
          />
          <TextInput
            label={type === 'page' ? 'Path' : 'Event name'}
            placeholder={type === 'page' ? '/cart, or /products/*' : 'signup'}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            flex={1}
            miw={180}
          />
          <Button
            type="submit"
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            disabled={name.trim() === '' || steps.length >= 10}
          >
            Add step
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
