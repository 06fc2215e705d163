import { invalid } from '../../shared/errors.ts';

/** @throws ApiError 400 `count_changed` */
export function refuseOtherCount(matched: number, expected: number | undefined): void {
  if (expected === undefined || matched === expected) return;
  const detail = `Nothing was changed: ${matched.toLocaleString('en')} entries match, not ${expected.toLocaleString('en')}.`;
  throw invalid([{ pointer: '/expect', code: 'count_changed', detail }]);
}
