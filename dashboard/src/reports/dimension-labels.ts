import { LANGUAGE } from '../languages/language.ts';
import { t } from '../languages/translate.ts';
import { PLATFORM_LABELS } from '../shared/click-ids.ts';
import type { Dimension, Filter, Operator } from './overview-state.ts';

export const DIMENSION_LABELS: Record<Dimension, string> = {
  source: t('Source'),
  medium: t('Medium'),
  campaign: t('Campaign'),
  platform: t('Ad platform'),
  landingPage: t('Landing page'),
  page: t('Page'),
  event: t('Event'),
  funnel: t('Funnel'),
  country: t('Country'),
  region: t('Region'),
  device: t('Device'),
  channel: t('Channel'),
  referrer: t('Referrer'),
  term: t('UTM term'),
  content: t('UTM content'),
  exitPage: t('Exit page'),
  browser: t('Browser'),
  os: t('Operating system'),
};

/** Labels of the tabs of a breakdown, where they differ. */
export const TAB_LABELS: Partial<Record<Dimension, string>> = {
  landingPage: t('Landing pages'),
  page: t('All pages'),
  exitPage: t('Exit pages'),
  term: t('Term'),
  content: t('Content'),
  os: t('System'),
  platform: t('Ads'),
};

/** Labels of missing values. */
const MISSING: Partial<Record<Dimension, string>> = {
  source: t('Direct'),
  medium: t('None'),
  platform: t('No ad click'),
  country: t('Unknown'),
  region: t('Unknown'),
  device: t('Unknown'),
  browser: t('Unknown'),
  os: t('Unknown'),
  channel: t('Unknown'),
};

const countries = new Intl.DisplayNames(LANGUAGE, { type: 'region', fallback: 'code' });

/** The label of a dimension's value. */
export function valueLabel(dimension: Dimension, value: string | null): string {
  if (value === null || value === '') return MISSING[dimension] ?? t('None');
  if (dimension === 'platform') return (PLATFORM_LABELS as Record<string, string>)[value] ?? value;
  // A region ends with its country: "Bavaria, DE".
  if (dimension === 'country' || dimension === 'region')
    return value.replace(/(?<=^|, )[A-Z]{2}$/, (code) => countries.of(code) ?? code);
  if (dimension === 'device') return value.charAt(0).toUpperCase() + value.slice(1);
  return value;
}

const OPERATOR_WORDS: Record<Operator, string> = {
  is: ':',
  isNot: ` ${t('is not')}`,
  contains: ' contains',
  containsNot: ` ${t('does not contain')}`,
};

/** "Source: google, bing", "Page contains /blog". */
export const filterText = ({ dimension, operator, values }: Filter) =>
  `${DIMENSION_LABELS[dimension]}${OPERATOR_WORDS[operator]} ${values.map((value) => valueLabel(dimension, value)).join(', ')}`;
