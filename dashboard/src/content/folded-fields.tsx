import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { FieldErrors } from '../field-types/definition.ts';
import type { DraftField } from '../field-types/draft.ts';
import { isActive } from '../field-types/fields.ts';
import { t } from '../languages/translate.ts';
import { Icon } from '../shared/icons.tsx';

interface FoldedFieldsProps {
  /** Of the group or block. */
  name: string;
  fields: readonly DraftField[];
  isNew: boolean;
  errors: FieldErrors;
  pointer: string;
  children: ReactNode;
}

/** The fields of a group or block, which are folded once it is saved: pages of blocks have dozens. Never where one has to be fixed. */
export function FoldedFields({ name, fields, isNew, errors, pointer, children }: FoldedFieldsProps) {
  const [isOpen, setIsOpen] = useState(isNew);
  const isShown = isOpen || [...errors.keys()].some((at) => at.startsWith(pointer));
  const label = t('{count, plural, one {# field} other {# fields}}', { count: fields.filter(isActive).length });
  return (
    <>
      {!isNew && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          mb={isShown ? 'xs' : 0}
          aria-expanded={isShown}
          aria-label={`${label}: ${name}`}
          rightSection={<Icon name={isShown ? 'up' : 'down'} size={13} />}
          onClick={() => setIsOpen(!isShown)}
        >
          {label}
        </Button>
      )}
      {isShown && children}
    </>
  );
}
