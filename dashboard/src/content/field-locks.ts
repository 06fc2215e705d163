import type { Field } from '@headwater/sdk';
import { createContext } from 'react';

/** Why the user may not change a field of the entry; undefined: they may. */
export const FieldLocks = createContext<(field: Field) => string | undefined>(() => undefined);
