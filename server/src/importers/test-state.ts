import { createClient } from '@headwater/sdk';

const PATH = /\/files\/[\w-]{43}\/[\w.-]+/g;
const ID = /(?:ent|col|ast|fol|row)_[0-9a-z]{26}/g;

/**
 * All that imports wrote into an account, with names for IDs, so that two accounts can be compared: the fields of collections, entries in
 * their order with their latest and published values, and files with what is said about them.
 */
export async function stateOf(baseUrl: string, token: string): Promise<unknown> {
  const client = createClient({ baseUrl, token });
  const names = new Map<string, string>();
  const found: unknown[] = [];
  const collections = await client.listCollections({ pageSize: 100 }).all();
  for (const { id, key } of collections) names.set(id, key ?? '');
  const files = await client.listFiles({ pageSize: 100 }).all();
  const { folders } = await client.listFolders();
  for (const { id, name } of folders) names.set(id, name);
  files.sort((a, b) => (`${a.name} ${a.alt}` < `${b.name} ${b.alt}` ? -1 : 1));
  for (const { assetId, name } of files) names.set(assetId, name);
  for (const { name, alt, title, caption, tags, bytes, folderId, focalPoint } of files) {
    found.push({ file: name, alt, title, caption, tags, bytes, folderId, focalPoint });
  }
  const lists = collections.sort((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
  const entries = new Map<string, Awaited<ReturnType<typeof client.listEntries>>['entries']>();
  for (const { id, key } of lists) {
    const all = await client.listEntries({ collectionId: id, pageSize: 100 }).all();
    // Files are uploaded at the same time, in any order.
    if (key === 'imported_files') all.sort((a, b) => (String(a.values.importId) < String(b.values.importId) ? -1 : 1));
    entries.set(id, all);
    for (const each of all) names.set(each.id, `${key}/${each.values.importId}`);
  }
  for (const { id, name, key, description, fields, displayFieldId, publishing, singleton, ordering } of lists) {
    const published = publishing ? await client.listEntries({ collectionId: id, state: 'published' }).all() : [];
    found.push({ name, key, description, fields, displayFieldId, publishing, singleton, ordering });
    for (const { values } of entries.get(id) ?? []) {
      // Which IDs it was made with differs.
      const { importVersion, ...others } = values;
      found.push({ ...others, isWhole: typeof importVersion === 'string' && importVersion !== '' });
    }
    for (const { id: entryId, values } of published)
      found.push({ published: entryId, values: { ...values, importVersion: null } });
  }
  const text = JSON.stringify(found, (name, value) =>
    /^(url|srcset|_id|createdAt|updatedAt)$/.test(name) ? undefined : value,
  );
  for (const { url, name } of files) names.set(new URL(url).pathname, `/${name}`);
  const named = text.replace(PATH, (path) => names.get(path) ?? 'unknown');
  return JSON.parse(named.replace(ID, (id) => names.get(id) ?? 'unknown'));
}
