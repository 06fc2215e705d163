/** A formatted text: a document of ProseMirror in the schema of prosemirror-markdown. */
export interface RichText {
  type: 'doc';
  content?: RichTextNode[];
}

export interface RichTextNode {
  type: string;
  attrs?: Record<string, string | number | boolean | null>;
  content?: RichTextNode[];
  /** Of nodes of the type `text`. */
  text?: string;
  marks?: { type: string; attrs?: Record<string, string | number | boolean | null> }[];
}

/** A referenced entry, which `expand` returns in the place of its ID. */
export interface ExpandedEntry<Values = Record<string, unknown>> {
  id: string;
  collectionId: string;
  values: Values;
}
