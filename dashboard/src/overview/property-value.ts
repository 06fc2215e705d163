import { t } from '../languages/translate.ts';

/** The label of a value of a property. */
export const valueText = (value: string | null) => (value === null ? t('Not set') : value === '' ? t('Empty') : value);
