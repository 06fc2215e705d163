import type { Release } from '@headwater/sdk';
import { isHeadwaterError } from '@headwater/sdk';
import { Alert, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { itemTitle, releaseItemsQuery } from './queries.ts';

interface Fault {
  pointer: string;
  detail: string;
}

interface FaultListProps {
  title: string;
  faults: readonly Fault[];
  /** The titles of the entries that the pointers count. */
  entries: readonly string[];
}

const MAX_LISTED = 50;

/** Why entries could not be published, by entry. */
export function FaultList({ title, faults, entries }: FaultListProps) {
  const nameOf = (pointer: string) => entries[Number(/^\/(?:items|entryIds)\/(\d+)/.exec(pointer)?.[1])];
  return (
    <Alert color="red" variant="light" role="alert" title={title}>
      <List size="sm">
        {faults.slice(0, MAX_LISTED).map(({ pointer, detail }) => {
          const name = nameOf(pointer);
          const text = serviceText(detail);
          return <List.Item key={pointer + detail}>{name === undefined ? text : `${name}: ${text}`}</List.Item>;
        })}
        {faults.length > MAX_LISTED && (
          <List.Item>{t('and {count} more', { count: faults.length - MAX_LISTED })}</List.Item>
        )}
      </List>
    </Alert>
  );
}

/** The faults of a refused request; any other error as one. */
export const faultsOfError = (error: unknown): readonly Fault[] =>
  isHeadwaterError(error) && error.errors.length > 0
    ? error.errors
    : [{ pointer: '', detail: errorMessage(error).detail }];

interface ReleaseFaultsProps {
  release: Release;
  title: string;
  faults: readonly Fault[];
}

/** Why a release could not be published or scheduled. */
export function ReleaseFaults({ release, ...list }: ReleaseFaultsProps) {
  const { data = [] } = useQuery(releaseItemsQuery(release));
  return <FaultList {...list} entries={data.map(itemTitle)} />;
}
