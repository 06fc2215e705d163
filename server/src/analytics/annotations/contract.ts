import { type Static, Type } from 'typebox';
import { orNull, readOnly, STRICT, Time } from '../../shared/http/schemas.ts';
import { Author } from '../../users/index.ts';
import { RANGE } from '../contract.ts';
import { LIMITS } from '../limits.ts';

const NOTE = {
  at: Type.String({
    maxLength: 64,
    description: 'A day, such as 2026-11-20, or an RFC 3339 time. A day is in the time zone of the report',
  }),
  text: Type.String({ minLength: 1, maxLength: LIMITS.annotationLength, pattern: '\\S' }),
};

const SHARED = {
  ...NOTE,
  startsAt: Time({ description: 'The time, or when the day starts in `timeZone`' }),
};

export const Annotation = Type.Object(
  { id: Type.String(), ...SHARED, createdBy: orNull(Author), createdAt: Time(), updatedAt: Time() },
  { title: 'Annotation' },
);
export type Annotation = Static<typeof Annotation>;

export const Annotations = Type.Object({ annotations: Type.Array(Annotation) });

export const SharedAnnotation = Type.Object(SHARED, { title: 'SharedAnnotation' });
export type SharedAnnotation = Static<typeof SharedAnnotation>;

export const SharedAnnotations = Type.Object({ annotations: Type.Array(SharedAnnotation) });

export const AnnotationsQuery = Type.Object(
  { ...RANGE, from: Type.Optional(RANGE.from), to: Type.Optional(RANGE.to) },
  STRICT,
);
export type AnnotationsQuery = Static<typeof AnnotationsQuery>;

const READ_ONLY = readOnly('id', 'startsAt', 'createdBy', 'createdAt', 'updatedAt');

export const NewAnnotation = Type.Object({ ...NOTE, ...READ_ONLY }, STRICT);
export type NewAnnotation = Static<typeof NewAnnotation>;

export const AnnotationChange = Type.Object(
  { at: Type.Optional(NOTE.at), text: Type.Optional(NOTE.text), ...READ_ONLY },
  STRICT,
);
export type AnnotationChange = Static<typeof AnnotationChange>;

export const AnnotationPath = Type.Object({ annotationId: Type.String() });
export const Deleted = Type.Object({ success: Type.Boolean() });
