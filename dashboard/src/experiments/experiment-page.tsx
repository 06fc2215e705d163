import type { Experiment } from '@headwater/sdk';
import { Alert, Badge, Button, Group, Menu, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { DescriptionList } from '../shared/description-list.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { formatDateTime, formatNumber, formatPercent, formatPeriod } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
import { audienceOf } from './audience.tsx';
import { metricName } from './guardrails.tsx';
import { planOf } from './outcome.ts';
import { PageSnippet } from './page-snippet.tsx';
import { experimentQuery, powerQuery, refreshExperiments, resultsQuery, type Segment, STATUS } from './queries.ts';
import { Results } from './results.tsx';
import { ShippedRelease } from './shipped-release.tsx';

/** One experiment: what it is, what came out, and starting, stopping and shipping it. */
export function ExperimentPage() {
  const { experimentId = '' } = useParams({ strict: false });
  const query = useQuery(experimentQuery(experimentId));
  return <Loaded query={query}>{(experiment) => <Detail experiment={experiment} />}</Loaded>;
}

function Detail({ experiment }: { experiment: Experiment }) {
  const { name, status, hypothesis, variants, metric, releaseId } = experiment;
  const time = (value: string | null) => value && formatDateTime(value);
  return (
    <Page
      wide
      title={name}
      description={hypothesis}
      back={{ to: '/experiments', label: t('Experiments') }}
      state={
        <Badge variant="light" color={STATUS[status].color}>
          {STATUS[status].label}
        </Badge>
      }
      actions={useMayWrite('analytics') && <Actions experiment={experiment} />}
    >
      <DescriptionList
        items={[
          [t('Key'), experiment.key],
          [t('Variants'), variants.map(({ key, weight }) => `${key} ${formatPercent(weight)}`).join(' · ')],
          [t('Metric'), [metricName(metric.event, metric.kind), metric.currency].filter(Boolean).join(' · ')],
          [t('Guardrails'), experiment.guardrails.map(({ event, kind }) => metricName(event, kind)).join(', ') || null],
          [
            t('Window and settling time'),
            `${formatPeriod(experiment.window)} + ${formatPeriod(experiment.settleAfter)}`,
          ],
          [t('Coverage'), formatPercent(experiment.coverage)],
          [t('Audience'), audienceOf(experiment.audience?.filters)],
          [t('Holdout'), experiment.holdout > 0 ? formatPercent(experiment.holdout) : null],
          [t('Started'), time(experiment.startedAt)],
          [t('Stopped'), time(experiment.stoppedAt)],
          [t('Shipped'), experiment.shippedVariant && `${experiment.shippedVariant} · ${time(experiment.shippedAt)}`],
        ]}
      />
      {releaseId && <ShippedRelease releaseId={releaseId} />}
      {(status === 'draft' || status === 'running') && experiment.content.length === 0 && (
        <PageSnippet experiment={experiment} />
      )}
      {status === 'draft' ? <Power experiment={experiment} /> : <Outcome experiment={experiment} />}
    </Page>
  );
}

function Outcome({ experiment }: { experiment: Experiment }) {
  const [segment, setSegment] = useState<Segment>();
  const query = useQuery(resultsQuery(experiment.id, segment));
  return (
    <Loaded query={query} label={t('Loading the results')}>
      {(results) => <Results experiment={experiment} results={results} segment={segment} onSegment={setSegment} />}
    </Loaded>
  );
}

/** What the own history says of how long it takes. */
function Power({ experiment }: { experiment: Experiment }) {
  const query = useQuery(powerQuery(experiment.id));
  return (
    <Card title={t('Before you start')}>
      <Loaded query={query} rows={3}>
        {(power) => (
          <Stack gap="xs">
            <Text size="sm">{planOf(power)}</Text>
            {power.plans.map(({ lift, visitors, days }) =>
              visitors === null || days === null ? null : (
                <Text key={lift} size="sm" c="dimmed">
                  {t('A difference of {lift}: {visitors} visitors, {days} days', {
                    lift: formatPercent(lift),
                    visitors: formatNumber(visitors),
                    days: formatNumber(days),
                  })}
                </Text>
              ),
            )}
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

type Asked = 'start' | 'stop' | 'unhold' | { ship: string };

function Actions({ experiment }: { experiment: Experiment }) {
  const { id: experimentId, status, variants, holdout } = experiment;
  const [asked, ask] = useState<Asked>();
  const close = () => ask(undefined);
  const done = (message: string) => {
    notify(message);
    return refreshExperiments();
  };
  return (
    <>
      {status === 'draft' && (
        <>
          <Button variant="default" component={Link} to={`/experiments/${experimentId}/edit`}>
            {t('Edit')}
          </Button>
          <Button onClick={() => ask('start')}>{t('Start')}</Button>
        </>
      )}
      {status === 'running' && (
        <Button variant="default" onClick={() => ask('stop')}>
          {t('Stop')}
        </Button>
      )}
      {(status === 'running' || status === 'stopped') &&
        (variants.length > 2 ? (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="light" rightSection={<Icon name="down" size={16} />}>
                {t('Ship')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {variants.map(({ key }) => (
                <Menu.Item key={key} onClick={() => ask({ ship: key })}>
                  {t('Ship {variant}', { variant: key })}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        ) : (
          variants.map(({ key }) => (
            <Button key={key} variant="light" onClick={() => ask({ ship: key })}>
              {t('Ship {variant}', { variant: key })}
            </Button>
          ))
        ))}
      {status === 'shipped' && holdout > 0 && (
        <Button variant="default" onClick={() => ask('unhold')}>
          {t('End holdout')}
        </Button>
      )}
      {asked === 'start' && (
        <ConfirmDialog
          title={t('Start the experiment?')}
          action={t('Start')}
          isHarmless
          onClose={close}
          run={() => headwater.startExperiment({ experimentId }, {}).then(() => done(t('Started.')))}
        >
          {t('Variants, weights, metric and windows cannot change afterwards.')}
        </ConfirmDialog>
      )}
      {asked === 'stop' && (
        <ConfirmDialog
          title={t('Stop the experiment?')}
          action={t('Stop')}
          onClose={close}
          run={() => headwater.stopExperiment({ experimentId }, {}).then(() => done(t('Stopped.')))}
        >
          {t('No visitor is added. Those it has continue to settle, and the results stay.')}
        </ConfirmDialog>
      )}
      {asked === 'unhold' && (
        <ConfirmDialog
          title={t('End the holdout?')}
          action={t('End holdout')}
          onClose={close}
          run={() => headwater.updateExperiment({ experimentId }, { holdout: 0 }).then(() => done(t('Saved.')))}
        >
          {t(
            'Everybody sees the shipped variant from now on, and what it brings is no longer compared. This cannot be undone.',
          )}
        </ConfirmDialog>
      )}
      {typeof asked === 'object' && (
        <ShipDialog experiment={experiment} variant={asked.ship} done={done} onClose={close} />
      )}
    </>
  );
}

interface ShipDialogProps {
  experiment: Experiment;
  variant: string;
  done: (message: string) => Promise<unknown>;
  onClose: () => void;
}

function ShipDialog({ experiment, variant, done, onClose }: ShipDialogProps) {
  const [publish, setPublish] = useState(true);
  const { data: results } = useQuery(resultsQuery(experiment.id));
  const change = experiment.variants.find(({ key }) => key === variant)?.values;
  const isDecided = results?.comparisons.some(
    (each) => !each.isGuardrail && each.variant === variant && each.decision === 'better',
  );
  return (
    <ConfirmDialog
      title={t('Ship {variant}?', { variant })}
      action={t('Ship')}
      isHarmless
      onClose={onClose}
      run={() =>
        headwater.shipExperiment({ experimentId: experiment.id }, { variant, publish }).then(() => done(t('Shipped.')))
      }
    >
      <Stack>
        {t('Everybody gets this variant from now on, and the experiment ends.')}
        {!isDecided && (
          <Alert color="orange" variant="light">
            {t('Settled visitors have not decided that this variant is better.')}
          </Alert>
        )}
        {change && (
          <Group>
            <Switch
              label={t('Publish its values now')}
              description={t('Otherwise the release stays open, and you publish it later.')}
              checked={publish}
              onChange={(event) => setPublish(event.currentTarget.checked)}
            />
          </Group>
        )}
      </Stack>
    </ConfirmDialog>
  );
}
