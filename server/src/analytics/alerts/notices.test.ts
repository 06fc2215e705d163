import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translatorOf } from '../../shared/languages.ts';
import type { AlertDefinition } from './contract.ts';
import { textOf, titleOf } from './notices.ts';
import { PRESET } from './rule.ts';

test('what an alert says is the same in the language of its reader, with its numbers', () => {
  const rule = {
    ...{ name: 'Sales', figure: 'revenue', kind: 'threshold', window: 'lastHour', source: 'google', channels: [] },
  } as Partial<AlertDefinition> as AlertDefinition;
  const said = (part: object, observation: object, language?: string) =>
    textOf(
      {
        ...{ rule: { ...rule, ...part }, currency: 'EUR' },
        observation: { value: 1234.5, expected: null, limit: null, ...observation } as never,
      },
      language === undefined ? undefined : translatorOf(language),
      language,
    );
  assert.equal(said({}, { limit: 5 }), 'Revenue from google in the last hour: 1,234.50 EUR. The limit is 5.00 EUR.');
  assert.equal(
    said({}, { limit: 5 }, 'de'),
    'Umsatz von google in der letzten Stunde: 1.234,50 EUR. Die Grenze: 5,00 EUR.',
  );
  const behind = { figure: 'destinationDifference', window: 'yesterday', source: null };
  assert.equal(
    said(behind, { value: 25.5, limit: 20 }),
    'Told less than earned of yesterday: 25.5%. The limit is 20%.',
  );
  assert.match(said(behind, { value: 25.5, limit: 20 }, 'de'), /: 25,5\s%\. Die Grenze: 20\s%\.$/);
  const silent = { figure: 'events', kind: 'silence', minutes: 1440, event: 'signup' };
  assert.equal(said(silent, {}), 'Events (signup) in the last 1440 minutes: 1,234.5.');
  assert.equal(said(silent, {}, 'de'), 'Ereignisse (signup) in den letzten 1440 Minuten: 1.234,5.');
  const expected = { kind: 'expected', window: 'today', source: null };
  assert.equal(said(expected, { expected: 2 }), 'Revenue of today: 1,234.50 EUR. Usual by now is 2.00 EUR.');
  assert.equal(said(expected, { expected: 2 }, 'de'), 'Umsatz von heute: 1.234,50 EUR. Bis jetzt üblich: 2,00 EUR.');
});

test('a preset is called by its name in the language of the reader, and a rule as its author called it', () => {
  const said = (rule: AlertDefinition, language: string, change: 'opened' | 'resolved' = 'opened') =>
    titleOf({ rule, change }, translatorOf(language));
  assert.equal(said(PRESET.scriptSilent, 'en'), 'The script is silent');
  assert.equal(said(PRESET.scriptSilent, 'de'), 'Das Skript ist verstummt');
  assert.equal(said({ ...PRESET.scriptSilent, name: 'Shop down' }, 'de', 'resolved'), 'Beendet: Shop down');
});
