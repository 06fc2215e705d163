import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { orNull, readOnly, STRICT, Time } from '../../shared/http/schemas.ts';
import { Author } from '../../users/index.ts';
import { EntryPath } from '../entries/contract.ts';
import { LIMITS } from '../limits.ts';

const STATES = ['draft', 'in_review', 'approved'] as const;
const State = Type.Enum([...STATES]);
const Person = Type.Object(
  { id: Type.String(), name: orNull(Type.String(), { description: 'null if the user was deleted' }) },
  { title: 'Person' },
);

export const Review = Type.Object(
  {
    state: Type.Enum([...STATES], { description: 'Changing an approved entry makes it a draft again' }),
    version: Type.Integer({ description: 'The current version of the entry' }),
    approvedVersions: Type.Array(Type.Integer(), { description: 'Versions that may be published, also at a time' }),
    assigneeId: orNull(Type.String(), { description: 'The member who is responsible for the entry' }),
    by: orNull(Author, { description: 'Who changed the state or the assignee last' }),
    updatedAt: orNull(Time()),
    assignees: Type.Array(Person, { description: 'The members who can be assigned' }),
  },
  { title: 'Review' },
);
export type Review = Static<typeof Review>;

/** Body of `PUT …/review`. */
export const ReviewChange = Type.Object(
  {
    state: Type.Optional(State),
    assigneeId: Type.Optional(orNull(Type.String())),
    version: Type.Optional(
      Type.Integer({ description: 'The version that was read. If it is not the current one: `version_conflict`' }),
    ),
    ...readOnly('approvedVersions', 'by', 'updatedAt', 'assignees'),
  },
  STRICT,
);
export type ReviewChange = Static<typeof ReviewChange>;

export const Comment = Type.Object(
  { id: Type.String(), text: Type.String(), by: orNull(Author), createdAt: Time() },
  { title: 'EntryComment' },
);
export type Comment = Static<typeof Comment>;
export const CommentPage = Type.Object({ comments: Type.Array(Comment), nextPageToken: NextPageToken });
export const NewComment = Type.Object(
  { text: Type.String({ pattern: '\\S', maxLength: LIMITS.commentLength }) },
  STRICT,
);
export const CommentsQuery = Type.Object(pageQuery, STRICT);
export const CommentPath = Type.Object({ ...EntryPath.properties, commentId: Type.String() });

export const PresenceQuery = Type.Object(
  {
    field: Type.Optional(Type.String({ maxLength: 200, description: 'The ID of the field that the user is editing' })),
  },
  STRICT,
);
export const Presence = Type.Object(
  {
    users: Type.Array(
      Type.Object({
        ...Person.properties,
        field: orNull(Type.String(), { description: 'The field that the user is editing' }),
      }),
      { description: 'The other users who have the entry open' },
    ),
  },
  { title: 'Presence' },
);
export type Presence = Static<typeof Presence>;
