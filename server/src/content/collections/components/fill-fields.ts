import { LIMITS } from '../../limits.ts';
import { type Field, isActive, mapFields, type NestedField } from '../field.ts';

/** Components by their public ID. The fields of groups in them that have a component are empty. */
export type Components = ReadonlyMap<string, { id: string; name: string; fields: readonly NestedField[] }>;

type AddFault = (code: string, detail: string) => void;

/**
 * The fields of a group that are those of a component. Fields that it had keep their numbers in the index; those that the
 * component does not have are deleted, so that their values stay.
 * @param depth how many groups the fields are in
 */
export function fillGroup(
  componentId: string,
  known: readonly NestedField[],
  components: Components,
  depth: number,
  fault: AddFault,
): NestedField[] {
  const component = components.get(componentId);
  if (!component) {
    fault('component_unknown', 'There is no component with this ID.');
    return [...known];
  }
  if (depth > LIMITS.groupDepth) {
    fault('group_nested', `With "${component.name}", groups are nested more than ${LIMITS.groupDepth} deep.`);
    return [...known];
  }
  const before = new Map(known.map((field) => [field.id, field]));
  const fields = component.fields.map((field) => fillField(field, before.get(field.id), components, depth, fault));
  const own = new Set(fields.map(({ id }) => id));
  return [
    ...fields,
    ...known.filter(({ id }) => !own.has(id)).map((field) => ({ ...field, status: 'deleted' as const })),
  ];
}

function fillField(
  field: NestedField,
  known: NestedField | undefined,
  components: Components,
  depth: number,
  fault: AddFault,
): NestedField {
  if (known && !isSame(field, known)) {
    fault(
      'type_immutable',
      `"${known.label}" has values of another type than the field "${field.label}" of the component.`,
    );
  }
  const { key: _, publishedKey: __, ...definition } = field;
  const filled: NestedField = {
    ...definition,
    key: known?.key ?? 0,
    ...(known?.publishedKey !== undefined && { publishedKey: known.publishedKey }),
  };
  const fill = (componentId: string | undefined, own: readonly NestedField[], existing: readonly NestedField[]) => {
    if (componentId !== undefined) return fillGroup(componentId, existing, components, depth + 1, fault);
    const ids = new Map(existing.map((each) => [each.id, each]));
    return own.map((each) => fillField(each, ids.get(each.id), components, depth + 1, fault));
  };
  if (field.blocks) {
    filled.blocks = field.blocks.map((block) => {
      const existing = known?.blocks?.find(({ id }) => id === block.id)?.fields ?? [];
      return { ...block, fields: fill(block.componentId, block.fields, existing) };
    });
  } else if (field.type === 'group') filled.fields = fill(field.componentId, field.fields ?? [], known?.fields ?? []);
  if (field.type === 'group' && depth >= LIMITS.groupDepth) {
    fault('group_nested', `With "${field.label}", groups are nested more than ${LIMITS.groupDepth} deep.`);
  }
  return filled;
}

const isSame = (a: NestedField, b: NestedField) =>
  a.type === b.type && a.format === b.format && (a.repeated ?? false) === (b.repeated ?? false);

/** The fields of a collection with the current fields of its components. */
export function refill(fields: readonly Field[], components: Components, fault: AddFault): Field[] {
  return fields.map((field) => refillField(field, components, 1, fault) as Field);
}

function refillField(field: NestedField, components: Components, depth: number, fault: AddFault): NestedField {
  const fill = (componentId: string | undefined, existing: readonly NestedField[]) =>
    componentId === undefined
      ? existing.map((each) => refillField(each, components, depth + 1, fault))
      : fillGroup(componentId, existing, components, depth, fault);
  if (field.blocks) {
    const blocks = field.blocks.map((block) => ({ ...block, fields: fill(block.componentId, block.fields) }));
    return { ...field, blocks };
  }
  return field.type === 'group' ? { ...field, fields: fill(field.componentId, field.fields ?? []) } : field;
}

/** The components that fields have, also within other ones. */
export function componentsOf(fields: readonly NestedField[]): Set<string> {
  const used = new Set<string>();
  mapFields(fields, (field) => {
    for (const { componentId } of [field, ...(field.blocks ?? [])])
      if (componentId !== undefined) used.add(componentId);
    return field;
  });
  return used;
}

/** The fields and blocks within components and blocks that are active before a change and not after it. @param all also other ones */
export function retiredPaths(
  before: readonly NestedField[],
  after: readonly NestedField[],
  all = false,
): RetiredPath[] {
  const found: RetiredPath[] = [];
  const visit = (
    old: readonly NestedField[],
    current: readonly NestedField[],
    path: readonly Step[],
    isShared: boolean,
  ) => {
    const byId = new Map(current.map((field) => [field.id, field]));
    for (const field of old.filter(isActive)) {
      const next = byId.get(field.id);
      const at = [...path, { id: field.id }];
      if (!next || !isActive(next)) {
        if (isShared) found.push({ path: at, label: field.label });
      } else if (field.blocks) {
        const blocks = new Map((next.blocks ?? []).map((block) => [block.id, block]));
        for (const block of field.blocks.filter(isActive)) {
          const kept = blocks.get(block.id);
          const within = [...path, { id: field.id, block: block.id }];
          if (kept && isActive(kept)) visit(block.fields, kept.fields, within, true);
          else found.push({ path: within, label: block.label });
        }
      } else visit(field.fields ?? [], next.fields ?? [], at, isShared || next.componentId !== undefined);
    }
  };
  visit(before, after, [], all);
  return found;
}

interface Step {
  id: string;
  block?: string;
}
interface RetiredPath {
  path: readonly Step[];
  label: string;
}

/** A path as PostgreSQL selects it in the values of an entry, through lists. */
export function jsonPathOf({ path }: RetiredPath): string {
  const steps = path.map(({ id, block }) => {
    const member = `.${JSON.stringify(id)}`;
    return block === undefined ? member : `${member}[*] ? (@."_block" == ${JSON.stringify(block)})`;
  });
  return `lax $${steps.join('')}`;
}
