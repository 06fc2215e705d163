import { LOCALE } from '../languages/language.ts';
import { t } from '../languages/translate.ts';

/** The ages that tables have, in days. */
export const AGES = [0, 1, 3, 7, 14, 30, 60, 90];

const days = new Intl.NumberFormat(LOCALE, { style: 'unit', unit: 'day', unitDisplay: 'narrow' });

export const formatAge = (age: number) => (age === 0 ? t('Same day') : days.format(age));
