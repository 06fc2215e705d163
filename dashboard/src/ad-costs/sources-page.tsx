import type { CostSource } from '@headwater/sdk';
import { Alert, Autocomplete, Badge, Button, Checkbox, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { formatMoney, formatNumber } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { notify, notifyError } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { useRights } from '../users/rights.ts';
import { SourceForm } from './source-form.tsx';
import {
  costPlatformsQuery,
  refreshSources,
  sourcesQuery,
  type UnmatchedCost,
  unmatchedCostsQuery,
} from './source-queries.ts';

/** Where ad spend is read from, and the spend that led to no session. */
export function CostSourcesPage() {
  const query = useQuery(sourcesQuery());
  const { data: platforms = [] } = useQuery(costPlatformsQuery());
  const { managesAnalytics, uses } = useRights();
  const mayEdit = uses('analytics', 'write');
  const [editing, setEditing] = useState<CostSource | 'new'>();
  const [deleting, setDeleting] = useState<CostSource>();
  const nameOf = (id: string) => platforms.find(({ platform }) => platform === id)?.name ?? id;
  /** The credential that is the ID of the ad account. */
  const accountOf = (id: string) =>
    platforms.find(({ platform }) => platform === id)?.credentials.find(({ decidesHost }) => decidesHost)?.name ?? '';
  const columns: Column<CostSource>[] = [
    { id: 'name', label: t('Name'), cell: ({ name }) => name, note: ({ platform }) => nameOf(platform) },
    {
      id: 'account',
      label: t('Account'),
      isDimmed: true,
      cell: ({ platform, connection, currency }) =>
        [connection[accountOf(platform)], currency].filter(Boolean).join(', '),
      note: ({ timeZone }) => timeZone,
    },
    {
      id: 'status',
      label: t('Status'),
      isWrapped: true,
      cell: (source) => <SourceStatus source={source} />,
      note: ({ error }) => error && serviceText(error),
    },
    timeColumn('read', t('Last read'), ({ lastReadAt }) => lastReadAt),
    timeColumn('next', t('Next read'), ({ nextReadAt }) => nextReadAt),
  ];
  const connect = managesAnalytics && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEditing('new')}>
      {t('Connect ad account')}
    </Button>
  );
  const readNow = async ({ id }: CostSource) => {
    try {
      await headwater.refreshCostSource({ costSourceId: id }, null);
      notify(t('It is being read.'));
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <Page
      wide
      title={t('Ad spend sources')}
      description={t('Reads what ads cost each hour, by campaign, ad group and ad: always the last 30 days again.')}
      back={{ to: '/ad-costs', label: t('Ad spend') }}
      actions={query.data && query.data.length > 0 && connect}
    >
      <DataTable
        label={t('Ad spend sources')}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        {...(mayEdit && {
          actions: (source: CostSource) => [
            { label: t('Read now'), onClick: () => void readNow(source) },
            ...(managesAnalytics
              ? [
                  { label: t('Edit'), onClick: () => setEditing(source) },
                  { label: t('Delete'), isDestructive: true, onClick: () => setDeleting(source) },
                ]
              : []),
          ],
        })}
        hasActionMenu
        empty={
          <EmptyState icon="coins" title={t('No ad accounts connected')} action={connect}>
            {t('Connect Google Ads, Meta, Microsoft, TikTok or LinkedIn, and their cost appears beside the revenue.')}
          </EmptyState>
        }
      />
      <Unmatched mayEdit={mayEdit} />
      {editing && platforms.length > 0 && (
        <SourceForm
          platforms={platforms}
          source={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && <DeleteDialog source={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  );
}

const PAUSES: Record<NonNullable<CostSource['pauseReason']>, string> = {
  credentials: t('Paused: credentials rejected'),
  access: t('Paused: no access'),
};

function SourceStatus({ source: { mode, pauseReason, failingSince, lastReadAt } }: { source: CostSource }) {
  const [color, label] =
    mode === 'off'
      ? ['gray', t('Off')]
      : pauseReason !== null
        ? ['red', PAUSES[pauseReason]]
        : failingSince !== null
          ? ['orange', t('Failing')]
          : lastReadAt === null
            ? ['blue', t('Not read yet')]
            : ['teal', t('Live')];
  return (
    <Badge variant="light" color={color}>
      {label}
    </Badge>
  );
}

function DeleteDialog({ source, onClose }: { source: CostSource; onClose: () => void }) {
  const [deleteCosts, setDeleteCosts] = useState(false);
  return (
    <ConfirmDialog
      title={t('Delete {name}?', { name: source.name })}
      action={t('Delete')}
      onClose={onClose}
      run={async () => {
        await headwater.deleteCostSource({ costSourceId: source.id, deleteCosts });
        await refreshSources();
        notify(t('Deleted.'));
      }}
    >
      <Stack gap="sm">
        {t('Nothing more is read from it.')}
        <Checkbox
          label={t('Also remove the ad spend that it read')}
          checked={deleteCosts}
          onChange={({ currentTarget }) => setDeleteCosts(currentTarget.checked)}
        />
      </Stack>
    </ConfirmDialog>
  );
}

function Unmatched({ mayEdit }: { mayEdit: boolean }) {
  const { data } = useQuery(unmatchedCostsQuery());
  const [assigning, setAssigning] = useState<UnmatchedCost>();
  if (!data || (data.costs.length === 0 && data.assignments.length === 0)) return null;
  const costs = { data: data.costs, isError: false, error: null };
  const columns: Column<UnmatchedCost>[] = [
    {
      id: 'campaign',
      label: t('Campaign'),
      cell: ({ campaign, source }) => campaign ?? source,
      note: ({ source, campaignId }) => [source, campaignId].filter(Boolean).join(', '),
    },
    {
      id: 'cost',
      label: t('Cost'),
      isNumber: true,
      cell: ({ cost }) => cost.map(({ currency, value }) => formatMoney(value, currency ?? '')).join(', '),
    },
    { id: 'clicks', label: t('Clicks'), isNumber: true, cell: ({ clicks }) => formatNumber(clicks) },
  ];
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('Ad spend without sessions')}
      </Title>
      <Text size="sm" c="dimmed">
        {t(
          'Campaigns of the last 30 days whose ID or name no session has. Reports list them in rows of their own. Assign the name that their sessions have.',
        )}
      </Text>
      {data.costs.length > 0 && (
        <DataTable
          label={t('Ad spend without sessions')}
          query={costs}
          columns={columns}
          rowKey={({ source, campaignId, campaign }) => `${source} ${campaignId} ${campaign}`}
          rowName={({ campaign, source }) => campaign ?? source}
          {...(mayEdit && {
            actions: (cost: UnmatchedCost) => [{ label: t('Assign'), onClick: () => setAssigning(cost) }],
          })}
        />
      )}
      {data.assignments.map(({ source, sessionCampaign, campaign }) => (
        <Alert key={`${source} ${sessionCampaign}`} variant="light" color="gray">
          {t('Sessions of {source} with “{sessionCampaign}” count for “{campaign}”.', {
            ...{ source, sessionCampaign, campaign: campaign ?? '' },
          })}{' '}
          {mayEdit && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => void assign({ source, sessionCampaign }).catch(notifyError)}
            >
              {t('Remove')}
            </Button>
          )}
        </Alert>
      ))}
      {assigning && (
        <AssignDialog
          cost={assigning}
          campaigns={data.sessionCampaigns
            .filter(({ source }) => source === assigning.source.toLowerCase())
            .map(({ campaign }) => campaign)}
          onClose={() => setAssigning(undefined)}
        />
      )}
    </Stack>
  );
}

async function assign(assignment: {
  source: string;
  sessionCampaign: string;
  campaignId?: string | null;
  campaign?: string | null;
}) {
  await headwater.assignCosts({ assignments: [assignment] });
  await refreshSources();
}

/** Says which sessions a campaign led to. */
function AssignDialog({ cost, campaigns, onClose }: { cost: UnmatchedCost; campaigns: string[]; onClose: () => void }) {
  const { source, campaignId, campaign } = cost;
  const form = useForm({
    initial: { sessionCampaign: '' },
    isValid: ({ sessionCampaign }) => sessionCampaign.trim() !== '',
    save: ({ sessionCampaign }) =>
      assign({
        source,
        sessionCampaign: sessionCampaign.trim(),
        ...(campaignId === null ? { campaign } : { campaignId }),
      }),
    onSaved: () => {
      onClose();
      notify(t('Assigned.'));
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('Assign {name}', { name: campaign ?? source })}
      submit={t('Assign')}
      onClose={onClose}
    >
      <Autocomplete
        label={t('Campaign of its sessions')}
        description={t('The utm_campaign of its ads, in any case')}
        data={[...new Set(campaigns)]}
        required
        data-autofocus
        {...form.input('sessionCampaign')}
      />
    </FormDialog>
  );
}
