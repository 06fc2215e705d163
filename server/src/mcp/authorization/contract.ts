import { type Static, Type } from 'typebox';

const request = {
  clientId: Type.String({ minLength: 1, maxLength: 8_000, description: 'The `client_id` of the request' }),
  redirectUri: Type.String({ minLength: 1, maxLength: 2_000 }),
  codeChallenge: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'By the method `S256`' }),
  state: Type.Optional(Type.String({ maxLength: 4_000, description: 'Returned to the client as it is' })),
  resource: Type.Optional(Type.String({ maxLength: 2_000, description: 'What the token is for: the URL of `/mcp`' })),
};

export const AgentRequest = Type.Object(request, { additionalProperties: false });
export type AgentRequest = Static<typeof AgentRequest>;

export const AgentClient = Type.Object(
  {
    name: Type.String({ description: 'As the client calls itself' }),
    host: Type.Union([Type.String(), Type.Null()], {
      description: 'Where the client describes itself; null: it registered itself, and anyone can use its name',
    }),
    redirectTarget: Type.String({ description: 'Host or scheme that receives the token' }),
    deniedUrl: Type.String({ description: 'Where to go if the request is denied' }),
  },
  { title: 'AgentClient' },
);
export type AgentClient = Static<typeof AgentClient>;

export const NewAgentConnection = Type.Object(
  {
    ...request,
    roleId: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'What the agent may do; null: everything that tokens may',
      }),
    ),
    expiresAt: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
  },
  { additionalProperties: false },
);
export type NewAgentConnection = Static<typeof NewAgentConnection>;

export const AgentConnection = Type.Object(
  {
    keyId: Type.String({ description: 'The API key whose token the client receives' }),
    redirectTo: Type.String({ description: 'Contains the code for the client; works once, for a minute' }),
  },
  { title: 'AgentConnection' },
);
