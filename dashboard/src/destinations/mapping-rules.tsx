import type { Destination, DestinationPlatform } from '@headwater/sdk';
import { ActionIcon, Group, Select, Stack, TextInput } from '@mantine/core';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { NumberField } from '../shared/number-field.tsx';

export type Rule = Destination['mapping'][number];

export const newRule = (): Rule => ({ event: '*', target: '', value: 'send', amount: null, currency: null });

const VALUES: Record<Rule['value'], string> = {
  send: t('Value of the conversion'),
  omit: t('No value'),
  fixed: t('Fixed value'),
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
        <Group key={i} align="flex-start" gap="sm" role="group" aria-label={t('Rule {i}', { i: i + 1 })}>
          <TextInput
            label={t('Event')}
            description={t('* means all others')}
            required
            flex="1 1 140px"
            value={rule.event}
            error={errors.get(`/mapping/${i}/event`)}
            onChange={(event) => set(i, { event: event.currentTarget.value })}
          />
          <TextInput
            label={serviceText(target.label)}
            description={t('Such as {example}', { example: target.example })}
            required
            flex="1 1 200px"
            value={rule.target}
            error={errors.get(`/mapping/${i}/target`)}
            onChange={(event) => set(i, { target: event.currentTarget.value })}
          />
          <Select
            label={t('Value')}
            description={t('Sent with it')}
            flex="1 1 170px"
            data={Object.entries(VALUES).map(([value, label]) => ({ value, label }))}
            allowDeselect={false}
            value={rule.value}
            onChange={(value) => set(i, { value: value as Rule['value'], ...(value !== 'fixed' && { amount: null }) })}
          />
          {rule.value === 'fixed' && (
            <NumberField
              label={t('Amount')}
              description={t('Of each conversion')}
              required
              flex="1 1 100px"
              value={rule.amount === null ? undefined : Number(rule.amount)}
              error={errors.get(`/mapping/${i}/amount`)}
              onChange={(amount) => set(i, { amount: amount === undefined ? null : String(amount) })}
            />
          )}
          {rule.value !== 'omit' && (
            <TextInput
              label={t('Currency')}
              description={rule.value === 'fixed' ? t('Of the amount') : t('If none is reported')}
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
              aria-label={t('Remove rule {i}', { i: i + 1 })}
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
          {t('Add rule')}
        </IconButton>
      </Group>
    </Stack>
  );
}
