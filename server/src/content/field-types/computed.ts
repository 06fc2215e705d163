import { Type } from 'typebox';
import { defineSetting } from './field-type.ts';

/** A text that is made of other values of the entry, such as `{firstName} {lastName}`. */
export const computed = defineSetting<string>({
  schema: Type.String({
    title: 'ComputedTemplate',
    minLength: 1,
    maxLength: 1_000,
    description:
      'Of a text of a collection: makes the value of other ones, such as `{firstName} {lastName}`; a field of a group is ' +
      '`{seo.title}`. What a request sends for it is ignored. null: it is written like others',
  }),
  merge(sent, known, { field, isNested, fault }) {
    const template = sent === undefined ? known : (sent ?? undefined);
    if (template !== undefined && (isNested || field.repeated)) {
      fault(
        'computed_not_allowed',
        'Only a single text of a collection can be computed, not one of a group or a list.',
      );
    }
    return template;
  },
});
