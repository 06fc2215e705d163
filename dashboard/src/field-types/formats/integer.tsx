import { t } from '../../languages/translate.ts';
import { decimal } from './decimal.tsx';

export const integer: typeof decimal = { ...decimal, label: t('Whole number') };
