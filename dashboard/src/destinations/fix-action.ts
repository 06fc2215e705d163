import type { DestinationDelivery } from '@headwater/sdk';
import { useNavigate } from '@tanstack/react-router';
import type { RowAction } from '../shared/data-table.tsx';
import { fixOf } from './labels.ts';

/**
 * Opens the part of a destination's form that keeps a conversion from being sent; a missing rule for its event is begun
 * there. undefined where the form does not help.
 */
export function useFixAction(): (delivery: DestinationDelivery) => RowAction | undefined {
  const navigate = useNavigate();
  return (delivery) => {
    const { destinationId, event, reason } = delivery;
    const { at, label } = fixOf(delivery) ?? {};
    if (label === undefined || at === 'retry') return undefined;
    const search = reason === 'event_not_mapped' ? { event: event ?? '*' } : {};
    return {
      label,
      onClick: () => void navigate({ to: `/destinations/${destinationId}/edit`, search, hash: at }),
    };
  };
}
