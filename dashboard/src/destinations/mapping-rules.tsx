import type { Destination, DestinationPlatform } from '@headwater/sdk';
import { ActionIcon, Group, Select, Stack, TextInput } from '@mantine/core';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { NumberField } from '../shared/number-field.tsx';

export type Rule = Destination['mapping'][number];

export const newRule = (): Rule => ({ event: '*', target: '', value: 'send', amount: null, currency: null });

const VALUES: Record<Rule['value'], string> = {
  send: 'Value of the conversion',
  omit: 'No value',
  fixed: 'Fixed value',
};

interface MappingRulesProps {
  target: DestinationPlatform['target'];
  rules: readonly Rule[];
  /** By pointer. */
  errors: ReadonlyMap<string, string>;
  onChange: (rules: Rule[]) => void;
}

/** What the events of conversions are at the platform. */
export function MappingRules({ target, rules, errors, onChange }: MappingRulesProps) {
  const set = (at: number, part: Partial<Rule>) =>
    onChange(rules.map((rule, i) => (i === at ? { ...rule, ...part } : rule)));
  return (
    <Stack>
      {rules.map((rule, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id, and their inputs are controlled
        <Group key={i} align="flex-start" gap="sm" role="group" aria-label={`Rule ${i + 1}`}>
          <TextInput
            label="Event"
            description="* means all others"
            required
            flex="1 1 140px"
            value={rule.event}
            error={errors.get(`/mapping/${i}/event`)}
            onChange={(event) => set(i, { event: event.currentTarget.value })}
          />
          <TextInput
            label={target.label}
            description={`Such as ${target.example}`}
            required
            flex="1 1 200px"
            value={rule.target}
            error={errors.get(`/mapping/${i}/target`)}
            onChange={(event) => set(i, { target: event.currentTarget.value })}
          />
          <Select
            label="Value"
            description="Sent with it"
            flex="1 1 170px"
            data={Object.entries(VALUES).map(([value, label]) => ({ value, label }))}
            allowDeselect={false}
            value={rule.value}
            onChange={(value) => set(i, { value: value as Rule['value'], ...(value !== 'fixed' && { amount: null }) })}
          />
          {rule.value === 'fixed' && (
            <NumberField
              label="Amount"
              description="Of each conversion"
              required
              flex="1 1 100px"
              value={rule.amount === null ? undefined : Number(rule.amount)}
              error={errors.get(`/mapping/${i}/amount`)}
              onChange={(amount) => set(i, { amount: amount === undefined ? null : String(amount) })}
            />
          )}
          {rule.value !== 'omit' && (
            <TextInput
              label="Currency"
              description={rule.value === 'fixed' ? 'Of the amount' : 'If none is reported'}
              flex="0 1 130px"
              maxLength={3}
              value={rule.currency ?? ''}
              error={errors.get(`/mapping/${i}/currency`)}
              onChange={(event) => set(i, { currency: event.currentTarget.value.toUpperCase() || null })}
            />
          )}
          {rules.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              mt={44}
              aria-label={`Remove rule ${i + 1}`}
              onClick={() => onChange(rules.filter((_, at) => at !== i))}
            >
              <Icon name="trash" size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      <Group>
        <IconButton
          icon="plus"
          variant="default"
          size="compact-md"
          onClick={() => onChange([...rules, { ...newRule(), event: '' }])}
        >
          Add rule
        </IconButton>
      </Group>
    </Stack>
  );
}
