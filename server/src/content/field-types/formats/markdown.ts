import { text } from '../text.ts';

/** Written and stored as text; a field can change between plain text and Markdown. */
export const markdown: typeof text = { ...text, settings: {}, description: 'a text in Markdown' };
