import type { SchemaObject } from 'ajv';

export interface Problem {
  errors: { pointer: string; code: string; detail: string }[];
  status: number;
  detail: string;
  code: string;
}

/** The schema of every error body, stricter than the one that the API publishes. */
export const PROBLEM: SchemaObject = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId', 'errors'],
  additionalProperties: false,
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', minLength: 1 },
    code: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' },
    requestId: { type: 'string', pattern: '^req_' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        additionalProperties: false,
        properties: {
          pointer: { type: 'string', pattern: '^(|[/?][\\s\\S]*)$' },
          code: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' },
          detail: { type: 'string', minLength: 1 },
        },
      },
    },
  },
};
