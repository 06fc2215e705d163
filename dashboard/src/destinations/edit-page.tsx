import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { t } from '../languages/translate.ts';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { DestinationForm } from './destination-form.tsx';
import { destinationQuery, platformsQuery } from './queries.ts';

export function EditDestinationPage() {
  const { destinationId } = useParams({ from: '/shell/destinations/$destinationId/edit' });
  const { event }: { event?: unknown } = useSearch({ strict: false });
  const query = useQuery({ ...destinationQuery(destinationId), refetchInterval: false });
  const platforms = useQuery(platformsQuery());
  const navigate = useNavigate();
  const goBack = () => navigate({ to: '/destinations/$destinationId', params: { destinationId } });
  return (
    <Loaded query={query}>
      {(destination) => (
        <Page
          title={t('Edit {name}', { name: destination.name })}
          back={{ to: `/destinations/${destinationId}`, label: destination.name }}
        >
          <Loaded query={platforms}>
            {(all) => {
              const platform = all.find((each) => each.platform === destination.platform);
              return (
                platform && (
                  <DestinationForm
                    platform={platform}
                    destination={destination}
                    newEvent={typeof event === 'string' ? event : undefined}
                    onCancel={goBack}
                    onSaved={() => {
                      notify(t('Saved.'));
                      void goBack();
                    }}
                  />
                )
              );
            }}
          </Loaded>
        </Page>
      )}
    </Loaded>
  );
}
