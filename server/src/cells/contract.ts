import { type Static, Type } from 'typebox';
import { orNull, STRICT, Time } from '../shared/http/schemas.ts';

const measure = (description: string) => orNull(Type.Number({ description: `${description}; null: unavailable` }));

export const Cell = Type.Object(
  {
    name: Type.String({ description: 'The first database is `main`' }),
    isOpen: Type.Boolean({ description: 'Whether new accounts are created there' }),
    accounts: Type.Integer(),
    createdAt: Time(),
    status: Type.Enum(['ok', 'unavailable']),
    bytes: measure('Size of its tables'),
    recordedPerSecond: measure('Visits, events and reports of conversions lately'),
    lagSeconds: measure('Age of the oldest row that is not in reports yet'),
    queued: measure('Jobs, changes and webhook deliveries that are due'),
    connections: measure('Connections to its database'),
    responseMs: measure('How long a statement takes'),
  },
  { title: 'ServiceCell' },
);
export type Cell = Static<typeof Cell>;

export const CellMove = Type.Object(
  {
    account: Type.String(),
    name: Type.String({ description: 'Of the account' }),
    from: Type.String(),
    to: Type.String(),
    state: Type.Enum(['copying', 'following', 'switching', 'switched', 'canceling'], {
      description: 'A move can be canceled until it is `switched`',
    }),
    error: orNull(Type.String({ description: 'Why the latest attempt failed; it is repeated' })),
    startedAt: Time(),
  },
  { title: 'CellMove' },
);
export type CellMove = Static<typeof CellMove>;

export const Cells = Type.Object({ cells: Type.Array(Cell), moves: Type.Array(CellMove) }, { title: 'Cells' });
export type Cells = Static<typeof Cells>;

export const CellAccounts = Type.Object(
  {
    accounts: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        createdAt: Time(),
        recorded: orNull(
          Type.Integer({ description: 'Visits and events, estimated in large cells; null: few, or unavailable' }),
        ),
      }),
      { description: 'The 50 with the most visits and events, then by age' },
    ),
  },
  { title: 'CellAccounts' },
);
export type CellAccounts = Static<typeof CellAccounts>;

export const CellPath = Type.Object({ cell: Type.String({ maxLength: 63 }) });
export const MovePath = Type.Object({ account: Type.String({ maxLength: 100 }) });
export const CellChange = Type.Object({ isOpen: Type.Boolean() }, STRICT);
export const CellAccountsQuery = Type.Object(
  { q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name, or the ID' })) },
  STRICT,
);
export const MoveRequest = Type.Object(
  {
    account: Type.String({ maxLength: 100, description: 'ID of the account' }),
    cell: Type.String({ maxLength: 63, description: 'Where it is to be' }),
  },
  STRICT,
);
