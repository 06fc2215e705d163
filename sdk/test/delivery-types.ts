/** Checked by the compiler: `npm run lint`. Each `@ts-expect-error` fails if the line is no error. */
import { createDelivery, type SchemaFile, type SchemaOf } from '../src/delivery.ts';

const schema = {
  collections: [
    {
      id: 'col_authors',
      key: 'authors',
      name: 'Authors',
      publishing: true,
      public: true,
      fields: [
        { id: 'name', label: 'Name', type: 'text', required: true },
        { id: 'secret', label: 'Secret', type: 'text', private: true },
        { id: 'country', label: 'Country', type: 'text', format: 'reference', collectionIds: ['countries'] },
      ],
    },
    {
      key: 'countries',
      name: 'Countries',
      publishing: true,
      public: true,
      fields: [{ id: 'name', label: 'Name', type: 'text', required: true }],
    },
    { key: 'notes', name: 'Notes', fields: [{ id: 'text', label: 'Text', type: 'text' }] },
    {
      key: 'posts',
      name: 'Posts',
      publishing: true,
      public: true,
      fields: [
        { id: 'title', label: 'Title', type: 'text', required: true },
        { id: 'price', label: 'Price', type: 'number' },
        {
          id: 'kind',
          label: 'Kind',
          type: 'select',
          options: [
            { value: 'a', label: 'A' },
            { value: 'b', label: 'B' },
          ],
        },
        { id: 'tags', label: 'Tags', type: 'text', repeated: true },
        { id: 'cover', label: 'Cover', type: 'asset' },
        { id: 'seo', label: 'SEO', type: 'group', componentId: 'seo' },
        {
          id: 'author',
          label: 'Author',
          type: 'text',
          format: 'reference',
          collectionIds: ['col_authors'],
          required: true,
        },
        {
          id: 'blocks',
          label: 'Blocks',
          type: 'group',
          repeated: true,
          format: 'blocks',
          blocks: [
            { id: 'quote', label: 'Quote', fields: [{ id: 'text', label: 'Text', type: 'text', required: true }] },
            {
              id: 'bio',
              label: 'Bio',
              fields: [{ id: 'who', label: 'Who', type: 'text', format: 'reference', collectionIds: ['authors'] }],
            },
          ],
        },
      ],
    },
  ],
  components: [{ key: 'seo', name: 'SEO', fields: [{ id: 'text', label: 'Text', type: 'text' }] }],
} as const satisfies SchemaFile;
type Schema = SchemaOf<typeof schema>;

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_isSame: Same<A, B>): void => {};

export async function checked() {
  const delivery = createDelivery<Schema>({ url: 'https://headwater.example', key: 'hw_pk_x' });

  const all = await delivery.list('posts');
  const [post] = all.entries;
  if (!post) return;
  same<typeof post.values.title, string>(true);
  same<typeof post.values.price, number | undefined>(true);
  same<typeof post.values.kind, 'a' | 'b' | undefined>(true);
  same<typeof post.values.tags, string[] | undefined>(true);
  same<typeof post.values.author, string>(true);
  post.values.cover?.srcset?.split(',');
  post.values.seo?.text?.trim();
  for (const block of post.values.blocks ?? []) {
    if (block._block === 'quote') same<typeof block.text, string>(true);
    else same<typeof block.who, string | undefined>(true);
  }

  const selected = await delivery.list('posts', {
    select: ['title', 'author.name', 'seo.text'],
    expand: ['author', 'author.country'],
    where: {
      title: { startsWith: 'x' },
      'author.name': { ieq: 'ann' },
      price: { between: [1, 2] },
      kind: { in: ['a'] },
    },
    sort: ['title:asc', 'author.name:desc'],
    total: true,
  });
  for (const { values } of selected.entries) {
    same<typeof values.title, string>(true);
    same<typeof values.author.values.name, string>(true);
    same<keyof typeof values, 'title' | 'author' | 'seo'>(true);
    same<keyof typeof values.author.values, 'name'>(true);
  }

  const one = await delivery.get('posts', 'a-slug', { expand: ['author', 'author.country', 'blocks.bio.who'] });
  same<typeof one extends null ? true : false, false>(true);
  one?.values.author.values.country?.values.name.trim();
  for (const block of one?.values.blocks ?? []) if (block._block === 'bio') block.who?.values.name.trim();

  for await (const { values } of delivery.each('authors', {
    where: { or: [{ name: { exists: true } }, { not: { id: { eq: 'x' } } }] },
  })) {
    values.name.trim();
  }

  const found = await delivery.resolve('/en/posts/a');
  if (found?.redirectTo !== undefined) found.redirectTo.trim();
  else if (found?.collection === 'posts') same<typeof found.entry.values.title, string>(true);
  // @ts-expect-error it may be an author
  if (found?.entry) found.entry.values.title;
  (await delivery.redirects()).map(({ from, to }) => from + to);

  // @ts-expect-error it is not public
  await delivery.list('notes');
  // @ts-expect-error there is no such field
  await delivery.list('posts', { select: ['titel'] });
  // @ts-expect-error it is private
  await delivery.list('authors', { select: ['secret'] });
  // @ts-expect-error a title is no reference
  await delivery.get('posts', 'x', { expand: ['title'] });
  // @ts-expect-error a number has no text to contain
  await delivery.list('posts', { where: { price: { contains: '1' } } });
  // @ts-expect-error there is no such option
  await delivery.list('posts', { where: { kind: { eq: 'c' } } });
  // @ts-expect-error there is no such path
  await delivery.list('posts', { where: { 'author.age': { eq: '1' } } });
  // @ts-expect-error a direction is missing
  await delivery.list('posts', { sort: ['title'] });
  const few = await delivery.list('posts', { select: ['title'] });
  // @ts-expect-error it was not selected
  few.entries[0]?.values.price;
}
