import type { Field } from '@headwater/sdk';

/** A field while it is edited. */
export interface DraftField {
  /** Stays the same when the ID changes. */
  key: string;
  /** Empty while it follows the label: see `apiIdOf`. */
  id: string;
  label: string;
  type: Field['type'];
  format: Field['format'];
  slugSource: string | undefined;
  collectionIds: string[];
  onDelete: 'keep' | 'refuse';
  required: boolean;
  repeated: boolean;
  status: 'active' | 'deleted';
  options: DraftOption[];
  fields: DraftField[];
  /** Of the format `blocks`. */
  blocks: DraftBlock[];
  /** Of a group: the component whose fields it has. */
  componentId: string | undefined;
  /** Empty: none. */
  helpText: string;
  /** undefined and null: none. */
  defaultValue: unknown;
  unique: boolean;
  isPrivate: boolean;
  isLocalized: boolean;
  /** Empty: the first part of the form. */
  section: string;
  validation: FieldRules;
  /** The template of its value. Empty: it is edited. */
  computed: string;
  /** The condition on the fields beside it. */
  visibleWhen: Record<string, unknown> | undefined;
  /** Of an exact number: how many decimal places it can have. */
  scale: number | undefined;
  /** Of a repeated group: whether its rows have IDs. */
  rowIds: boolean;
  /** Not saved yet: its ID and type can change, and removing it leaves no trace. */
  isNew: boolean;
}

interface FieldRules {
  min?: number | string | undefined;
  max?: number | string | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
}

/** A kind of row of a field with blocks. */
export interface DraftBlock {
  key: string;
  id: string;
  label: string;
  status: 'active' | 'deleted';
  componentId?: string | undefined;
  fields: DraftField[];
  isNew: boolean;
}

export interface DraftOption {
  key: string;
  value: string;
  label: string;
  status: 'active' | 'deleted';
  isNew: boolean;
}

/** A field as the routes that create and update collections accept it. */
export interface FieldRequest {
  id?: string;
  label: string;
  type: Field['type'];
  format?: NonNullable<Field['format']> | null;
  slugSource?: string | null;
  collectionIds?: string[];
  onDelete?: 'keep' | 'refuse';
  required: boolean;
  repeated?: boolean;
  status?: 'active' | 'deleted';
  options?: { value: string; label: string; status?: 'active' | 'deleted' }[];
  fields?: FieldRequest[];
  componentId?: string | null;
  blocks?: BlockRequest[];
  helpText?: string | null;
  defaultValue?: unknown;
  unique?: boolean;
  private?: boolean;
  localized?: boolean;
  section?: string | null;
  validation?: FieldRules | null;
  computed?: string | null;
  visibleWhen?: Record<string, unknown> | null;
  scale?: number | null;
  rowIds?: boolean;
}

interface BlockRequest {
  id: string;
  label: string;
  status?: 'active' | 'deleted';
  componentId?: string | null;
  fields?: FieldRequest[];
}
