import { Box, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { MINUTE } from '../../../server/src/shared/units.ts';
import { collectionsQuery } from '../content/queries.ts';
import { t } from '../languages/translate.ts';
import { useLatestSession } from '../onboarding/setup-steps.ts';
import { amountOf, formatAmount, METRICS, type Metric, mainCurrency, otherRevenue } from '../reports/metrics.ts';
import { spanOf } from '../reports/overview-state.ts';
import { headwater, useSession } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon, type IconName } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';
import { Page } from '../shared/page.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { useMayWrite, useRights } from '../users/rights.ts';
import { attentionQuery } from './attention.ts';

const SetupChecklist = lazy(async () => ({
  default: (await import('../onboarding/setup-checklist.tsx')).SetupChecklist,
}));

/** What needs attention, today's figures and, until an account is set up, what to do next. */
export function HomePage() {
  const { account } = useSession();
  const { uses } = useRights();
  return (
    <Page wide title={t('Home')} description={account.name}>
      <FirstSteps />
      {uses('analytics') && <Today />}
      <Attention />
      {uses('analytics', 'write') && uses('conversions') && uses('destinations') && uses('webhooks') && (
        <Suspense>
          <SetupChecklist />
        </Suspense>
      )}
    </Page>
  );
}

interface PathProps {
  icon: IconName;
  title: string;
  children: string;
  to: string;
  action: string;
}

function Path({ icon, title, children, to, action }: PathProps) {
  return (
    <Stack className="surface" p="lg" gap="sm" align="flex-start">
      <Group gap="sm">
        <Icon name={icon} size={24} />
        <Title order={2}>{title}</Title>
      </Group>
      <Text size="sm" c="dimmed" flex={1}>
        {children}
      </Text>
      <IconButton icon="right" to={to}>
        {action}
      </IconButton>
    </Stack>
  );
}

/** For an account with neither content nor visits: its two ways to start. */
function FirstSteps() {
  const { uses, may } = useRights();
  const mayEdit = useMayWrite('schema');
  const session = useLatestSession(uses('analytics'));
  const { data: collections } = useQuery({ ...collectionsQuery(), enabled: may('read') });
  if (!mayEdit || collections === undefined || session === undefined) return null;
  if (collections.length > 0 || session !== null) return null;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Path
        icon="content"
        title={t('Publish content')}
        to="/content/new?template=articles"
        action={t('Create a collection')}
      >
        {t(
          'Define what your pages consist of, write and translate it here, and read it from your site through the API.',
        )}
      </Path>
      <Path icon="code" title={t('Track a site')} to="/settings/installation" action={t('Install the script')}>
        {t(
          'See visits, their sources and what they lead to, and report conversions to the platforms where you advertise.',
        )}
      </Path>
    </SimpleGrid>
  );
}

const FIGURES: Metric[] = ['visitors', 'leads', 'conversions', 'revenue'];

/** Four figures of today. */
function Today() {
  const span = spanOf({ period: 'day' });
  const { data } = useQuery({
    queryKey: ['overview', span, undefined],
    queryFn: ({ signal }) => headwater.getOverview(span, { signal }),
    refetchInterval: MINUTE,
  });
  if (!data) return <Box h={92} />;
  const currency = mainCurrency(data.current);
  const other = otherRevenue(data.current, currency);
  return (
    <Card title={t('Today')} controls={<TextLink to="/overview?period=day">{t('Overview')}</TextLink>}>
      <SimpleGrid cols={{ base: 2, sm: 4 }} component="dl" m={0}>
        {FIGURES.map((metric) => (
          <div key={metric}>
            <Text size="sm" c="dimmed" component="dt">
              {METRICS[metric]}
            </Text>
            <Text fz={26} fw={650} className="number" component="dd" m={0}>
              {formatAmount(amountOf(data.current, metric, currency), metric, currency)}
            </Text>
            {metric === 'revenue' && other !== '' && (
              <Text size="xs" c="dimmed" component="dd" m={0}>
                {other}
              </Text>
            )}
          </div>
        ))}
      </SimpleGrid>
    </Card>
  );
}

/** What somebody has to do something about. */
function Attention() {
  const { account } = useSession();
  const { data } = useQuery(attentionQuery(account));
  if (data === undefined) return null;
  return (
    <Card title={t('Needs attention')}>
      {data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('Nothing: no drafts, and everything is delivered.')}
        </Text>
      ) : (
        <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {data.map(({ text, to, icon }) => (
            <Group key={to + text} component="li" gap="sm" wrap="nowrap">
              <Icon name={icon} size={16} color="var(--mantine-color-dimmed)" />
              <TextLink to={to}>{text}</TextLink>
            </Group>
          ))}
        </Stack>
      )}
    </Card>
  );
}
