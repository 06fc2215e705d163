import type { Collection } from '@headwater/sdk';
import { Alert, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { referencedBy } from '../field-types/fields.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { CopyField } from '../shared/copy-field.tsx';
import { Dialog } from '../shared/dialogs.tsx';
import { GuideLink } from '../shared/guide-link.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { useMayWrite } from '../users/rights.ts';
import { collectionsQuery } from './queries.ts';

/** How a site reads a collection: its key, ID and URLs, and what it would not find. */
export default function UseCollectionDialog({ collection, onClose }: { collection: Collection; onClose: () => void }) {
  const { id, key, name, publishing, public: isPublic, singleton } = collection;
  const mayEdit = useMayWrite('schema');
  const account = useQuery({ queryKey: ['account'], queryFn: ({ signal }) => headwater.getAccount({ signal }) });
  const { data: collections = [] } = useQuery(collectionsQuery());
  const referenced = referencedBy(collection.fields);
  const hidden = collections.filter((each) => referenced.has(each.id) && !each.public);
  const publishableKey = account.data?.publishableKey ?? 'hw_pk_…';
  const path = `${window.location.origin}/v1/${isPublic ? 'content' : 'cms'}`;
  const url = isPublic
    ? `${path}/${key ?? id}${singleton ? '/entry' : ''}`
    : `${path}/collections/${key ?? id}/${singleton ? 'entry' : 'entries'}`;
  const settings = <TextLink to={`/content/${id}/schema`}>{t('Fields')}</TextLink>;
  return (
    <Dialog title={t('Use {name}', { name })} size="lg" onClose={onClose}>
      <Stack>
        {!isPublic && (
          <Alert color="blue" variant="light" title={t('Only secret tokens read this collection')}>
            {publishing
              ? t('To let your site read what is published with the publishable key, turn on Public.')
              : t(
                  'To publish entries and let your site read them with the publishable key, turn on Drafts and then Public.',
                )}{' '}
            {mayEdit && settings}
          </Alert>
        )}
        {isPublic && hidden.length > 0 && (
          <Alert color="orange" variant="light" title={t('References that your site does not receive')}>
            {t(
              '{count, plural, one {{names} is not public, so that references to its entries are omitted.} other {{names} are not public, so that references to their entries are omitted.}}',
              { count: hidden.length, names: hidden.map((each) => each.name).join(', ') },
            )}
          </Alert>
        )}
        <CopyField label="URL" value={url} />
        <CopyField
          label={t('Request')}
          block
          value={isPublic ? `curl '${url}?key=${publishableKey}'` : `curl '${url}' -H 'x-api-key: Bearer hw_sk_…'`}
        />
        <div>
          <Text size="sm" mb={4}>
            {key === undefined ? 'ID' : t('Key, which stands for the ID in URLs, and ID')}
          </Text>
          <Stack gap="xs">
            {key !== undefined && <CopyField label={t('Key')} value={key} />}
            <CopyField label="ID" value={id} />
          </Stack>
        </div>
        <Group>
          <GuideLink to="content">{t('Guide: content')}</GuideLink>
          {isPublic && <GuideLink to="../docs/graphiql">GraphiQL</GuideLink>}
        </Group>
      </Stack>
    </Dialog>
  );
}
