import { type Static, Type } from 'typebox';
import { STRICT, Time } from '../../shared/http/schemas.ts';

const Screen = Type.Enum(['overview', 'funnels']);
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });

export const SavedView = Type.Object(
  {
    id: Type.String(),
    screen: Screen,
    name: Type.String(),
    state: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The search parameters of the screen in the dashboard',
    }),
    updatedAt: Time(),
  },
  { title: 'SavedView' },
);
export type SavedView = Static<typeof SavedView>;

export const SavedViewsQuery = Type.Object({ screen: Screen }, STRICT);
export const SavedViews = Type.Object({ views: Type.Array(SavedView) });
export const SavedViewBody = Type.Object({ screen: Screen, name: Name, state: SavedView.properties.state }, STRICT);
export type SavedViewBody = Static<typeof SavedViewBody>;
export const SavedViewPath = Type.Object({ viewId: Type.String() });
export const Deleted = Type.Object({ success: Type.Boolean() });
