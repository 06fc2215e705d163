import type { Experiment } from '@headwater/sdk';
import { queryOptions } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { pagedQuery } from '../shared/paged-query.ts';

export const experimentsQuery = () =>
  pagedQuery(
    ['experiments'],
    (pageToken, signal) => headwater.listExperiments({ pageToken, pageSize: 20 }, { signal }),
    ({ experiments }) => experiments,
  );

export const experimentQuery = (experimentId: string) =>
  queryOptions({
    queryKey: ['experiments', experimentId],
    queryFn: ({ signal }) => headwater.getExperiment({ experimentId }, { signal }),
  });

export type Segment = 'source' | 'medium' | 'campaign' | 'device' | 'browser' | 'os' | 'country' | 'region';

export const resultsQuery = (experimentId: string, segment?: Segment) =>
  queryOptions({
    queryKey: ['experiments', experimentId, 'results', segment],
    queryFn: ({ signal }) => headwater.getExperimentResults({ experimentId, ...(segment && { segment }) }, { signal }),
    placeholderData: (before) => before,
  });

export const powerQuery = (experimentId: string) =>
  queryOptions({
    queryKey: ['experiments', experimentId, 'power'],
    queryFn: ({ signal }) => headwater.getExperimentPower({ experimentId }, { signal }),
  });

export const refreshExperiments = () => queryClient.invalidateQueries({ queryKey: ['experiments'] });

export const STATUS: Record<Experiment['status'], { label: string; color: string }> = {
  draft: { label: t('Draft'), color: 'gray' },
  running: { label: t('Running'), color: 'blue' },
  stopped: { label: t('Stopped'), color: 'orange' },
  shipped: { label: t('Shipped'), color: 'green' },
};
