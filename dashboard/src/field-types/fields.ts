import type { NestedField } from '@headwater/sdk';
import type { AnyField } from './definition.ts';

export const isActive = ({ status }: { status: string }): boolean => status === 'active';

export const isRepeated = (field: AnyField): boolean => 'repeated' in field && field.repeated;

export const nestedFieldsOf = (field: AnyField): NestedField[] => ('fields' in field && field.fields) || [];
