import { schema as markdownSchema } from 'prosemirror-markdown';
import { Schema } from 'prosemirror-model';
import { richTextSpec } from '../../../server/src/content/field-types/formats/rich-text-spec.ts';

/** The schema of Markdown fields: what CommonMark can write. */
export { markdownSchema };

/** The schema of rich text fields, as the service checks it. */
export const richTextSchema = new Schema(richTextSpec(markdownSchema));
