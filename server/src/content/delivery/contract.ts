import { Type } from 'typebox';
import { NameList } from '../../shared/http/list-parameters.ts';
import { Time } from '../../shared/http/schemas.ts';
import { CHANGES_DAYS } from '../changes/contract.ts';

export const KEY = Type.Optional(
  Type.String({ description: 'A publishable key (`hw_pk_…`), unless it is sent in the header `x-api-key`' }),
);

export const RICHTEXT = Type.Optional(
  Type.Enum(['json', 'html', 'markdown'], {
    description:
      'How values of the format `richtext` are returned: as JSON trees (`json`, the default), HTML or Markdown',
  }),
);

export const PublicLocale = Type.Optional(
  Type.String({
    maxLength: 100,
    description:
      'The locale of localized fields, by default the default one. Values that are not published in it are those of its fallbacks.',
  }),
);

const PAIR = '[A-Za-z0-9][A-Za-z0-9_.-]*:[A-Za-z0-9][A-Za-z0-9_.-]*';

/** Shows the variants of experiments. */
export const VARIANTS = {
  variant: Type.Optional(
    NameList(Type.String({ pattern: `^${PAIR}$` }), {
      maxLength: 1_000,
      pattern: `^${PAIR}(,${PAIR})*$`,
      description:
        'Which variant of an experiment is shown: `headline:new`, several after commas. Its entries have the members `experiment` and `variant`. ' +
        'An experiment that is not running, or a variant that it does not have, changes nothing.',
    }),
  ),
  visitorId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Shows the variants that this visitor is assigned to, in a response that is not cached. Pages that are cached send `variant`.',
    }),
  ),
};

export const AT = Type.Optional(
  Time({
    description:
      `With a secret API token: what was public at this time, of the last ${CHANGES_DAYS} days. Fields, and which collections are ` +
      'public, are those of now. Never cached',
  }),
);
