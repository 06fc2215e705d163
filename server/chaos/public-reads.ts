import { randomBytes } from 'node:crypto';
import { PATIENCE_MS } from '../test/machine.ts';
import { commandJson, startService, usedDataDir } from '../test/service-process.ts';
import { send } from './http-client.ts';
import { defineProof, finding } from './proof.ts';
import { send as call, sendOk } from './support.ts';

const READERS = 24;

interface Made {
  id: string;
  values: Record<string, unknown>;
}

/** Texts that must never be returned, each impossible to guess. */
const secrets = new Set<string>();
function secret(kind: string): string {
  const text = `zz${kind}${randomBytes(8).toString('hex')}`;
  secrets.add(text);
  return text;
}

const text = (id: string, more: object = {}) => ({ id, label: id, type: 'text', ...more });
const reference = (id: string, collectionIds: string[], more: object = {}) =>
  text(id, { format: 'reference', collectionIds, ...more });

export const publicReads = defineProof({
  title: 'Anyone reads public content with every parameter, while it is edited, published and unpublished.',
  parameters: { reads: 100_000 },
  async run({ reads }, log) {
    secrets.clear();
    const DATA_DIR = await usedDataDir();
    const service = await startService({ DATA_DIR, RATE_LIMIT: 'off' });
    const account = async (name: string): Promise<{ token: string; apiKey: string }> =>
      commandJson(['accounts', 'create', name], { DATA_DIR });
    const [mine, theirs] = [await account('Public'), await account('Foreign')];
    const site = await furnish(service, mine.token, 'live');
    const foreign = await furnish(service, theirs.token, secret('foreign'));
    const port = Number(new URL(service.url).port);
    const visible = new Set(site.visible.map(({ id }) => id));
    const forbidden = [...site.hidden, ...foreign.hidden, ...foreign.visible.map(({ id }) => id)];

    const random = (below: number) => Math.floor(Math.random() * below);
    const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
    const known = { tokens: [] as string[], tags: [] as string[] };
    const words = ['live', 'zz', 'zzdraft', 'zzprivate', '1', '777', 'true', 'false', '', 'a,b', '\u0000', '%', "'"];
    const fields = [
      'title',
      'slug',
      'hidden',
      'cost',
      'retired',
      'tags',
      'seo',
      'author',
      'related',
      'veiled',
      'id',
      'title@de',
      'hidden@fr',
      'body',
      'inside',
    ];
    const locales = ['en', 'de', 'DE', 'fr', 'fr', 'fr-CA', 'xx', ''];
    const paths = [
      'author',
      'related',
      'related.author',
      'related.related.related',
      'seo.by',
      'veiled',
      'author.company',
    ];
    const operators = ['eq', 'ne', 'in', 'lt', 'gte', 'contains', 'exists'];
    const operandOf = () => pick([pick(words), pick(words), pick([...secrets]), pick(forbidden), pick([...visible])]);
    const parameters: (() => [string, string])[] = [
      () => [`filter[${pick(fields)}][${pick(operators)}]`, operandOf()],
      () => ['sort', `${pick(fields)}:${pick(['asc', 'desc'])}`],
      () => ['q', operandOf()],
      () => ['expand', Array.from({ length: 1 + random(3) }, () => pick([...paths, ...fields])).join(',')],
      () => ['expand', pick(paths)],
      () => ['pageSize', pick(['1', '2', '100', '0'])],
      () => ['locale', pick(locales)],
      () => ['richtext', pick(['json', 'html', 'markdown', 'x'])],
      () => ['pageToken', pick(['', 'x', ...known.tokens])],
      () => [
        pick(['state', 'includeDeleted', 'preview', 'version', 'fields']),
        pick(['draft', 'published', 'true', 'x']),
      ],
    ];
    /** As clients send them. */
    const usual: (() => [string, string])[] = [
      () => [
        'expand',
        pick(['author', 'related', 'related.author', 'related.related.related', 'seo.by', 'author.company']),
      ],
      () => [`filter[title][${pick(['contains', 'ne', 'gte'])}]`, operandOf()],
      () => [`filter[${pick(['author', 'related'])}][${pick(['eq', 'in'])}]`, pick([...visible, ...forbidden])],
      () => ['sort', `${pick(['title', 'slug', 'createdAt', 'updatedAt'])}:${pick(['asc', 'desc'])}`],
      () => ['q', operandOf()],
      () => ['pageSize', pick(['1', '3', '100'])],
      () => ['locale', pick(['en', 'de', 'fr', 'fr-CA'])],
      () => ['richtext', pick(['html', 'markdown'])],
    ];
    const collections = [
      ...Array<string>(9).fill(site.articles),
      site.authors,
      site.authors,
      site.closed,
      site.plain,
      foreign.articles,
    ];
    const names = () => pick([...visible, ...visible, ...forbidden, ...site.slugs, ...foreign.slugs, 'x']);

    const counts = { 200: 0, 304: 0, 400: 0, 404: 0, other: 0 };
    const leaks: string[] = [];
    let [left, returned, late, translated] = [reads, 0, 0, 0];
    const readOne = async () => {
      const query = new URLSearchParams(
        Array.from({ length: pick([0, 1, 1, 2, 2, 3]) }, () => pick(random(3) === 0 ? parameters : usual)()),
      );
      const inHeader = random(4) === 0;
      if (!inHeader) query.set('key', mine.apiKey);
      const isEntry = random(3) === 0;
      const path = `/v1/content/${pick(collections)}${isEntry ? `/${encodeURIComponent(names())}` : ''}?${query}`;
      const hiddenBefore = site.toggle.hiddenSince;
      const localeBefore = site.locale.hiddenSince;
      const headers = {
        ...(inHeader && { 'x-api-key': `Bearer ${mine.apiKey}` }),
        ...(random(4) === 0 && { 'if-none-match': pick(['x', ...known.tags]) }),
      };
      const response = await send(port, { method: random(20) === 0 ? 'HEAD' : 'GET', path, headers });
      const body = response.body.toString('utf8');
      const status = response.status as 200;
      counts[status in counts ? status : 'other']++;
      const sent = decodeURIComponent(path);
      const leaked = [...secrets].find((each) => body.includes(each) && !sent.includes(each));
      if (leaked) leaks.push(`${path}: ${leaked}`);
      if (status !== 200 || body === '') return;
      const json = JSON.parse(body);
      const entries: Made[] = json.entries ?? [json];
      returned += entries.length;
      const shown = JSON.stringify(entries);
      const foreignId = forbidden.find((id) => shown.includes(id));
      if (foreignId) leaks.push(`${path}: ${foreignId}`);
      const usesSecret = [...query].some(([name, value]) => {
        return name !== 'expand' && (secrets.has(value) || (name.startsWith('filter') && forbidden.includes(value)));
      });
      const isNegated = [...query.keys()].some(
        (name) => name.includes('[ne]') || name.includes('[lt]') || name.includes('[gte]'),
      );
      if (usesSecret && !isNegated && json.entries?.length > 0) leaks.push(`${path}: found by a secret`);
      // Unpublished before the request was sent, and not published again until it was answered.
      const isHidden = hiddenBefore !== undefined && site.toggle.hiddenSince === hiddenBefore;
      if (isHidden) late++;
      if (isHidden && shown.includes(site.toggle.id)) leaks.push(`${path}: an unpublished entry`);
      const isLocaleHidden = localeBefore !== undefined && site.locale.hiddenSince === localeBefore;
      if (isLocaleHidden && !sent.includes(site.locale.text) && shown.includes(site.locale.text)) {
        leaks.push(`${path}: an unpublished locale`);
      }
      if (!isLocaleHidden && shown.includes(site.locale.text)) translated++;
      if (typeof json.nextPageToken === 'string' && known.tokens.length < 200) known.tokens.push(json.nextPageToken);
      if (known.tags.length < 200) known.tags.push(String(response.headers.etag));
    };
    let isDone = false;
    const editing = edit(service, mine.token, site, () => isDone);
    // On a busy machine, all reads may be over before an edit is.
    const patience = performance.now() + PATIENCE_MS;
    const isMissing = () => (late === 0 || translated === 0) && performance.now() < patience;
    await Promise.all(
      Array.from({ length: READERS }, async () => {
        while (left-- > 0 || isMissing()) await readOne();
      }),
    );
    isDone = true;
    const edits = await editing;
    const statuses = Object.entries(counts).map(([status, count]) => `${status}: ${count}`);
    log(`${statuses.join(', ')}; ${returned} entries returned, ${edits} edits, ${late} reads after an unpublish`);
    return [
      finding(
        'No read returns anything unpublished, private or of another account',
        `${reads} reads (${statuses.join(', ')}), ${returned} entries, during ${edits} edits: ${leaks.length} leaks ${leaks.slice(0, 3).join('; ')}`,
        leaks.length === 0,
      ),
      finding(
        'Reads reach entries',
        `${returned} entries, ${late} reads of what was unpublished, ${translated} of a locale while it was published`,
        returned > reads / 20 && late > 0 && translated > 0,
      ),
      finding('Every read is answered', `${counts.other} other statuses`, counts.other === 0),
    ];
  },
});

type Service = Parameters<typeof sendOk>[0];

/** What is published and unpublished while others read. */
interface Toggle {
  id: string;
  /** undefined while it may be published. */
  hiddenSince: number | undefined;
}

/** Content of which some is public. `visible` entries are published; nothing of the `hidden` ones is. */
async function furnish(service: Service, token: string, live: string) {
  const ok = (request: string, body?: unknown) =>
    sendOk(service, request, { token, ...(body !== undefined && { body }) });
  const collection = async (name: string, fields: unknown[], more: object): Promise<string> =>
    (await ok('POST /v1/cms/collections', { name, fields, ...more })).id;
  const isPublic = { publishing: true, public: true };
  const others = [{ locale: 'de' }, { locale: 'fr' }, { locale: 'fr-CA', fallback: 'fr' }];
  await ok('PUT /v1/cms/locales', { default: 'en', locales: [{ locale: 'en' }, ...others] });
  const closed = await collection('Closed', [text('title')], { publishing: true });
  const plain = await collection('Plain', [text('title')], {});
  const authors = await collection(
    'Authors',
    [text('title'), text('hidden', { private: true }), reference('company', [closed, plain])],
    isPublic,
  );
  const articles = await collection(
    'Articles',
    [
      text('title', { localized: true }),
      text('slug', { format: 'slug', slugSource: 'title', localized: true }),
      text('hidden', { private: true, localized: true }),
      ...[
        { id: 'cost', label: 'cost', type: 'number', private: true },
        text('retired'),
        text('tags', { repeated: true }),
        text('body', { format: 'richtext' }),
        text('inside', { format: 'richtext', private: true }),
      ],
      reference('author', [authors, closed, plain]),
      reference('veiled', [authors], { private: true }),
      { id: 'seo', label: 'seo', type: 'group', fields: [text('text'), reference('by', [authors, closed])] },
    ],
    { ...isPublic, defaultSort: { fieldId: 'cost', direction: 'asc' } },
  );
  await ok(`PATCH /v1/cms/collections/${articles}`, {
    fields: [reference('related', [articles, authors, closed, plain], { repeated: true })],
  });
  const create = (in_: string, values: object): Promise<Made> =>
    ok(`POST /v1/cms/collections/${in_}/entries`, { values });
  const publish = (in_: string, { id }: Made, body: object = {}) =>
    ok(`POST /v1/cms/collections/${in_}/entries/${id}/publish`, body);
  const change = (in_: string, { id }: Made, values: object): Promise<Made> =>
    ok(`PATCH /v1/cms/collections/${in_}/entries/${id}`, { values });

  const inClosed = await create(closed, { title: secret('closed') });
  await publish(closed, inClosed);
  const inPlain = await create(plain, { title: secret('plain') });
  const author = await create(authors, { title: `${live} author`, hidden: secret('private'), company: inClosed.id });
  const other = await create(authors, { title: `${live} other`, hidden: secret('private'), company: inPlain.id });
  const draftAuthor = await create(authors, { title: secret('draft'), company: inClosed.id });
  for (const each of [author, other]) await publish(authors, each);
  await change(authors, author, { title: secret('draft') });

  const visible = [author, other];
  const hidden = [inClosed.id, inPlain.id, draftAuthor.id];
  const slugs: string[] = [];
  const deleted: string[] = [];
  const targets = [author.id, other.id, draftAuthor.id, inClosed.id];
  for (let i = 0; i < 16; i++) {
    const isDraft = i % 4 === 0;
    const values = {
      ...{ title: isDraft ? secret('draft') : `${live} ${i}`, hidden: secret('private'), cost: 777_000 + i },
      ...{ retired: secret('retired'), tags: [live], veiled: author.id },
      ...{ body: { markdown: isDraft ? secret('draft') : `**${live}**` }, inside: { markdown: secret('private') } },
      ...{ 'title@de': i % 2 === 0 ? `${live} de ${i}` : secret('locale'), 'title@fr': secret('locale') },
      ...{ 'slug@fr': secret('locale'), 'hidden@de': secret('private'), 'hidden@fr': secret('private') },
      ...{ author: [...targets, inPlain.id][i % 5], related: targets, seo: { text: live, by: targets[i % 4] } },
    };
    const entry = await create(articles, values);
    const slug = String(entry.values.slug);
    if (isDraft) {
      hidden.push(entry.id);
      slugs.push(slug);
      continue;
    }
    const published = { locales: i % 2 === 0 ? ['en', 'de'] : ['en'] };
    await publish(articles, entry, published);
    slugs.push(slug, String(entry.values['slug@fr']));
    // An earlier slug, and a draft with another one.
    if (i % 3 === 0) {
      await change(articles, entry, { slug: `renamed-${i}` });
      await publish(articles, entry, published);
      const draft = secret('draft');
      slugs.push(`renamed-${i}`, draft);
      await change(articles, entry, {
        title: secret('draft'),
        body: { html: secret('draft') },
        slug: draft,
        tags: [secret('draft')],
        related: hidden,
        'title@de': secret('draft'),
      });
    }
    if (i % 5 === 0) deleted.push(entry.id);
    visible.push({ id: entry.id, values: { title: values.title } });
  }
  const toggled = await create(articles, { title: `${live} toggled`, related: [author.id] });
  const locale: Toggle & { text: string } = { id: '', hiddenSince: 0, text: `zzfr${randomBytes(8).toString('hex')}` };
  const translated = await create(articles, { title: `${live} translated`, 'title@fr': locale.text });
  await publish(articles, translated, { locales: ['en'] });
  locale.id = translated.id;
  visible.push(translated);
  await ok(`PATCH /v1/cms/collections/${articles}`, { fields: [{ id: 'retired', status: 'deleted' }] });
  const referable = [...hidden];
  // What others reference is deleted last.
  for (const id of deleted) {
    await ok(`DELETE /v1/cms/collections/${articles}/entries/${id}`);
    hidden.push(id);
  }
  const published = visible.filter(({ id }) => !hidden.includes(id));
  const toggle: Toggle = { id: toggled.id, hiddenSince: 0 };
  return { articles, authors, closed, plain, visible: published, hidden, referable, slugs, toggle, locale };
}

/** Changes drafts, and publishes and unpublishes an entry that others may reference, until the reads are done. */
async function edit(
  service: Service,
  token: string,
  site: Awaited<ReturnType<typeof furnish>>,
  isDone: () => boolean,
): Promise<number> {
  const base = `/v1/cms/collections/${site.articles}/entries`;
  const sent = (request: string, body: unknown) => call(service, request, { token, body });
  const drafts = site.visible.slice(2).filter(({ id }) => id !== site.locale.id);
  let edits = 0;
  for (; !isDone(); edits++) {
    const draft = drafts[edits % drafts.length];
    await sent(`PATCH ${base}/${draft?.id}`, {
      values: { title: secret('draft'), 'title@de': secret('draft'), related: [site.toggle.id, ...site.referable] },
    });
    if (edits % 2 === 0) {
      site.toggle.hiddenSince = undefined;
      await sent(`POST ${base}/${site.toggle.id}/publish`, {});
      await sent(`POST ${base}/${site.locale.id}/unpublish`, { locales: ['fr'] });
      site.locale.hiddenSince = edits;
    } else {
      site.locale.hiddenSince = undefined;
      await sent(`POST ${base}/${site.locale.id}/publish`, { locales: ['fr'] });
      await sent(`POST ${base}/${site.toggle.id}/unpublish`, {});
      site.toggle.hiddenSince = edits;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // The set of secrets is searched in every response.
    if (secrets.size > 400)
      for (const each of [...secrets].slice(200, 250)) if (each.startsWith('zzdraft')) secrets.delete(each);
  }
  return edits;
}
