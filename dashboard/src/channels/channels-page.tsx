import type { ChannelRuleEffects, ChannelRules } from '@headwater/sdk';
import { Alert, Button, Stack, Table, Text, Title } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { valueLabel } from '../reports/dimension-labels.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { Form, FormError } from '../shared/form.tsx';
import { formatNumber } from '../shared/formats.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { SaveBar } from '../shared/save-bar.tsx';
import { SortableList } from '../shared/sortable-list.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { useMayWrite } from '../users/rights.ts';
import { newRule, toEdited, toRules } from './edited-rules.ts';
import { RuleCard } from './rule-card.tsx';

const rulesQuery = () =>
  queryOptions({ queryKey: ['channel rules'], queryFn: ({ signal }) => headwater.getChannelRules({ signal }) });

/** The custom channels of the account, in order, with a preview of what they do. */
export function ChannelsPage() {
  const query = useQuery(rulesQuery());
  return (
    <Page
      title={t('Channels')}
      description={t(
        'Your rules come before the default channel groups of Google Analytics 4. The first one that holds decides, also for sessions of the past.',
      )}
    >
      <Loaded query={query}>{(stored) => <RulesForm stored={stored} />}</Loaded>
    </Page>
  );
}

function RulesForm({ stored }: { stored: ChannelRules }) {
  const mayEdit = useMayWrite('analytics');
  const form = useForm({
    initial: { rules: toEdited(stored.rules) },
    mustChange: true,
    draft: 'channel rules',
    save: ({ rules }) =>
      headwater.putChannelRules({
        rules: toRules(rules),
        version: queryClient.getQueryData(rulesQuery().queryKey)?.version ?? stored.version,
      }),
    onSaved: (saved) => {
      queryClient.setQueryData(rulesQuery().queryKey, saved);
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'channel rules' });
      notify(t('Saved.'));
    },
  });
  const { rules } = form.values;
  const preview = useMutation({
    meta: { shown: true },
    mutationFn: () => headwater.putChannelRules({ rules: toRules(rules), dryRun: true }),
  });
  const setRules = (next: typeof rules) => {
    preview.reset();
    form.set({ rules: next });
  };
  const effects = preview.data?.effects;
  const add = (
    <IconButton icon="plus" variant="default" onClick={() => setRules([...rules, newRule()])}>
      {t('Add channel')}
    </IconButton>
  );
  return (
    <Form form={form} noValidate>
      <fieldset disabled={!mayEdit} className="plain-fieldset">
        <Stack gap="md">
          <FormError form={form} />
          {form.errorOf('version') && (
            <Alert color="red" variant="light" role="alert">
              {form.errorOf('version')}
            </Alert>
          )}
          {rules.length === 0 && (
            <EmptyState icon="filter" title={t('No custom channels yet')} action={add}>
              {t('Add one for your brand, partners or newsletters. All others keep their default channel.')}
            </EmptyState>
          )}
          <div>
            <SortableList items={rules} onChange={setRules} nameOf={({ name }) => name || t('new rule')}>
              {(rule, handle) => {
                const i = rules.indexOf(rule);
                const taken = effects?.rules[i];
                return (
                  <RuleCard
                    rule={rule}
                    handle={handle}
                    errors={form.errors}
                    pointer={`/rules/${i}`}
                    sessions={
                      taken && t('{count, plural, one {# session} other {# sessions}}', { count: taken.sessions })
                    }
                    onChange={(next) => setRules(rules.map((each) => (each.key === rule.key ? next : each)))}
                    onRemove={() => setRules(rules.filter(({ key }) => key !== rule.key))}
                  />
                );
              }}
            </SortableList>
            {rules.length > 0 && add}
          </div>
          {preview.error && (
            <Alert color="red" variant="light" role="alert">
              {errorMessage(preview.error).detail}
            </Alert>
          )}
          {effects && <EffectsTable effects={effects} />}
          {mayEdit && (rules.length > 0 || stored.rules.length > 0) && (
            <Button
              variant="default"
              w="fit-content"
              mb="md"
              loading={preview.isPending}
              onClick={() => preview.mutate()}
            >
              {t('Preview effects')}
            </Button>
          )}
        </Stack>
      </fieldset>
      {mayEdit && <SaveBar form={form} submit={t('Save')} />}
    </Form>
  );
}

function EffectsTable({ effects }: { effects: ChannelRuleEffects }) {
  return (
    <div className="surface" role="status" style={{ padding: 'var(--mantine-spacing-md)' }}>
      <Title order={2} size="h4">
        {t('Sessions of the last 30 days')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('Sessions by channel, with these rules and with those that apply now.')}
      </Text>
      <Table.ScrollContainer minWidth={320}>
        <Table aria-label={t('Sessions of the last 30 days')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Channel')}</Table.Th>
              <Table.Th ta="end">{t('With these rules')}</Table.Th>
              <Table.Th ta="end">{t('Now')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {effects.channels.map(({ channel, sessions, previous }) => (
              <Table.Tr key={channel ?? ''}>
                <Table.Td>{valueLabel('channel', channel)}</Table.Td>
                <Table.Td ta="end" fw={sessions === previous ? 400 : 650}>
                  {formatNumber(sessions)}
                </Table.Td>
                <Table.Td ta="end">{formatNumber(previous)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}
