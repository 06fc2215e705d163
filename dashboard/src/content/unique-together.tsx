import { ActionIcon, Group, MultiSelect } from '@mantine/core';
import type { FieldErrors } from '../field-types/definition.ts';
import { isActive } from '../field-types/fields.ts';
import { t } from '../languages/translate.ts';
import { Card } from '../shared/card.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { apiIdOf, canBeCompared, type SchemaDraft } from './schema-draft.ts';

const MAX_FIELDS = 5;

interface UniqueTogetherProps {
  draft: SchemaDraft;
  set: (part: Partial<SchemaDraft>) => void;
  errors: FieldErrors;
}

/** Fields whose values no two entries may share. */
export function UniqueTogether({ draft, set, errors }: UniqueTogetherProps) {
  const { fields, uniqueTogether: lists = [] } = draft;
  const change = (next: string[][]) => set({ uniqueTogether: next });
  const data = fields
    .filter((field) => isActive(field) && apiIdOf(field) !== '' && canBeCompared(field))
    .map((field) => ({ value: apiIdOf(field), label: field.label || apiIdOf(field) }));
  return (
    <Card
      title={t('Unique combinations')}
      note={t(
        'No two entries can have the same values in all fields of a combination, such as a slug within its category. Entries without one of the values are not compared.',
      )}
    >
      {lists.map((fieldIds, i) => {
        const at = `/uniqueTogether/${i}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a combination is its place in the list
          <Group key={i} gap="xs" align="flex-start" wrap="nowrap">
            <MultiSelect
              label={t('Combination {index}', { index: i + 1 })}
              placeholder={fieldIds.length < 2 ? t('At least two fields') : undefined}
              data={data}
              value={fieldIds}
              maxValues={MAX_FIELDS}
              error={[...errors].find(([pointer]) => pointer === at || pointer.startsWith(`${at}/`))?.[1]}
              onChange={(next) => change(lists.with(i, next))}
              flex={1}
              miw={0}
            />
            <ActionIcon
              aria-label={t('Remove combination {index}', { index: i + 1 })}
              onClick={() => change(lists.toSpliced(i, 1))}
              mt={28}
            >
              <Icon name="close" size={16} />
            </ActionIcon>
          </Group>
        );
      })}
      <Group>
        <IconButton icon="plus" variant="default" size="sm" onClick={() => change([...lists, []])}>
          {t('Add combination')}
        </IconButton>
      </Group>
    </Card>
  );
}
