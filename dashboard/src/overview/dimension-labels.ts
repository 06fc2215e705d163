import { PLATFORM_LABELS } from '../shared/click-ids.ts';
import type { Dimension, Filter, Operator } from './overview-state.ts';

export const DIMENSION_LABELS: Record<Dimension, string> = {
  source: 'Source',
  medium: 'Medium',
  campaign: 'Campaign',
  platform: 'Ad platform',
  landingPage: 'Landing page',
  page: 'Page',
  event: 'Event',
  funnel: 'Funnel',
  country: 'Country',
  region: 'Region',
  device: 'Device',
  channel: 'Channel',
  referrer: 'Referrer',
  term: 'UTM term',
  content: 'UTM content',
  exitPage: 'Exit page',
  browser: 'Browser',
  os: 'Operating system',
};

/** Labels of the tabs of a breakdown, where they differ. */
export const TAB_LABELS: Partial<Record<Dimension, string>> = {
  landingPage: 'Landing pages',
  page: 'All pages',
  exitPage: 'Exit pages',
  term: 'Term',
  content: 'Content',
  os: 'System',
  platform: 'Ads',
};

/** Labels of missing values. */
const MISSING: Partial<Record<Dimension, string>> = {
  source: 'Direct',
  medium: 'None',
  platform: 'No ad click',
  country: 'Unknown',
  region: 'Unknown',
  device: 'Unknown',
  browser: 'Unknown',
  os: 'Unknown',
  channel: 'Unknown',
};

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** The label of a dimension's value. */
export function valueLabel(dimension: Dimension, value: string | null): string {
  if (value === null || value === '') return MISSING[dimension] ?? 'None';
  if (dimension === 'platform') return (PLATFORM_LABELS as Record<string, string>)[value] ?? value;
  // A region ends with its country: "Bavaria, DE".
  if (dimension === 'country' || dimension === 'region')
    return value.replace(/(?<=^|, )[A-Z]{2}$/, (code) => countries.of(code) ?? code);
  if (dimension === 'device') return value.charAt(0).toUpperCase() + value.slice(1);
  return value;
}

const OPERATOR_WORDS: Record<Operator, string> = {
  is: ':',
  isNot: ' is not',
  contains: ' contains',
  containsNot: ' does not contain',
};

/** "Source: google, bing", "Page contains /blog". */
export const filterText = ({ dimension, operator, values }: Filter) =>
  `${DIMENSION_LABELS[dimension]}${OPERATOR_WORDS[operator]} ${values.map((value) => valueLabel(dimension, value)).join(', ')}`;
