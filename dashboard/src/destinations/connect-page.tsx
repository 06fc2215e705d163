import type { DestinationPlatform } from '@headwater/sdk';
import { SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { DestinationForm } from './destination-form.tsx';
import { platformsQuery } from './queries.ts';

/** Connects a platform: which one, then its credentials and events. */
export function ConnectPage() {
  const query = useQuery(platformsQuery());
  const navigate = useNavigate();
  const [platform, setPlatform] = useState<DestinationPlatform>();
  return (
    <Page
      title={platform ? t('Connect {name}', { name: platform.name }) : t('Connect an ad platform')}
      description={
        platform && !platform.purges ? t('Start in mode Validate: nothing is counted until you go live.') : undefined
      }
      back={{ to: '/destinations', label: t('Ad platforms') }}
    >
      <Loaded query={query}>
        {(platforms) =>
          platform ? (
            <DestinationForm
              platform={platform}
              onCancel={() => setPlatform(undefined)}
              onSaved={({ id }) => navigate({ to: '/destinations/$destinationId', params: { destinationId: id } })}
            />
          ) : (
            <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {platforms.map((each) => (
                <li key={each.platform}>
                  <UnstyledButton className="surface" p="md" w="100%" h="100%" onClick={() => setPlatform(each)}>
                    <Text fw={600}>{serviceText(each.name)}</Text>
                    <Text size="sm" c="dimmed">
                      {each.purges
                        ? t('Purged when content is published')
                        : each.clickIds.join(', ') ||
                          (each.needs === 'email' ? t('Conversions of known emails') : t('Any conversion'))}
                    </Text>
                  </UnstyledButton>
                </li>
              ))}
            </SimpleGrid>
          )
        }
      </Loaded>
    </Page>
  );
}
