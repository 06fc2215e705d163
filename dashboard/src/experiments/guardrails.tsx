import type { Experiment } from '@headwater/sdk';
import { ActionIcon, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { Icon } from '../shared/icons.tsx';

type Metric = Experiment['metric'];

export const METRIC_KINDS: { value: Metric['kind']; label: string }[] = [
  { value: 'revenue', label: t('Revenue per visitor') },
  { value: 'conversions', label: t('Conversions per visitor') },
  { value: 'events', label: t('Events per visitor') },
];

/** Metrics of one event differ by their kind. */
export const metricName = (event: string, kind: string): string =>
  `${METRIC_KINDS.find(({ value }) => value === kind)?.label ?? kind} · ${event}`;

/** Of an experiment. */
const MOST = 10;

interface GuardrailsProps {
  guardrails: readonly Metric[];
  errors: ReadonlyMap<string, string>;
  onChange: (guardrails: Metric[]) => void;
}

/** The metrics that must not get worse. */
export function Guardrails({ guardrails, errors, onChange }: GuardrailsProps) {
  const set = (i: number, part: Partial<Metric>) =>
    onChange(guardrails.map((each, k) => (k === i ? { ...each, ...part } : each)));
  return (
    <Stack gap="sm">
      {guardrails.map(({ event, kind }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: guardrails have no identity of their own
        <Group key={i} align="flex-end" gap="sm">
          <TextInput
            flex={1}
            miw={180}
            label={t('Guardrail {number}', { number: i + 1 })}
            value={event}
            error={errors.get(`/guardrails/${i}/event`)}
            onChange={(changed) => set(i, { event: changed.currentTarget.value })}
          />
          <Select
            flex={1}
            miw={180}
            label={t('Metric of guardrail {number}', { number: i + 1 })}
            data={METRIC_KINDS}
            allowDeselect={false}
            value={kind}
            error={errors.get(`/guardrails/${i}/kind`)}
            onChange={(next) => next && set(i, { kind: next as Metric['kind'] })}
          />
          <ActionIcon
            size="lg"
            aria-label={t('Remove guardrail {number}', { number: i + 1 })}
            onClick={() => onChange(guardrails.filter((_, k) => k !== i))}
          >
            <Icon name="close" size={16} />
          </ActionIcon>
        </Group>
      ))}
      {guardrails.length < MOST && (
        <Group>
          <Button variant="default" onClick={() => onChange([...guardrails, { event: '', kind: 'events' }])}>
            {t('Add guardrail')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
