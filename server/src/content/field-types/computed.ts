import { Type } from 'typebox';
import { defineSetting } from './field-type.ts';

/** A text that is made of the values beside it, such as `{firstName} {lastName}`. */
export const computed = defineSetting<string>({
  schema: Type.String({
    title: 'ComputedTemplate',
    minLength: 1,
    maxLength: 1_000,
    description:
      'Of a text: makes its value of those beside it in the entry, group or row, such as `{firstName} {lastName}`; a field of a ' +
      'group is `{seo.title}`. What a request sends for it is ignored. null: it is written like others',
  }),
  merge(sent, known, { field, fault }) {
    const template = sent === undefined ? known : (sent ?? undefined);
    if (template !== undefined && field.repeated) {
      fault('computed_not_allowed', 'Only a single text can be computed, not a list.');
    }
    return template;
  },
});
