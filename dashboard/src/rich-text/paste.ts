import type { AssetValue } from '@headwater/sdk';
import { DOMParser, type Node } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { invalidateFiles } from '../files/queries.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { notify, notifyError } from '../shared/notify.tsx';
import { cleanHtml, imageSourceOf } from './clean-html.ts';

const imagesOf = (data: DataTransfer | null) =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));

const upload = async (file: File): Promise<AssetValue> => headwater.uploadFile({ file });

/** The file of a data URL. */
function fileOf(src: string): File {
  const [head = '', data = ''] = src.slice('data:'.length).split(',');
  const text = head.endsWith(';base64') ? atob(data) : decodeURIComponent(data);
  const type = head.split(';')[0] ?? '';
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return new File([bytes], `pasted.${type.split('/')[1] ?? 'png'}`, { type });
}

/** A block with an image of the library. */
export function figureNode({ state }: EditorView, { url, assetId, alt }: AssetValue, caption = ''): Node | undefined {
  const { figure } = state.schema.nodes;
  return figure?.create({ src: url, assetId, alt: typeof alt === 'string' ? alt : '', caption });
}

/** Uploads images and inserts them where the selection is by then. */
async function insertImages(view: EditorView, files: readonly File[], at?: number): Promise<void> {
  notify(t('{count, plural, one {Uploading the image …} other {Uploading # images …}}', { count: files.length }));
  try {
    const assets = await Promise.all(files.map(upload));
    if (view.isDestroyed) return;
    const { tr } = view.state;
    const nodes = assets.flatMap((asset) => figureNode(view, asset) ?? []);
    if (at === undefined) for (const node of nodes) tr.replaceSelectionWith(node);
    else tr.insert(Math.min(at, tr.doc.content.size), nodes);
    view.dispatch(tr.scrollIntoView());
  } catch (error) {
    notifyError(error);
  } finally {
    void invalidateFiles();
  }
}

/** Stores the images of copied HTML in the library, so that nothing that is published loads them from elsewhere. */
async function storeImages(body: HTMLElement): Promise<number> {
  let failed = 0;
  const store = async (image: HTMLImageElement) => {
    const src = image.getAttribute('src') ?? '';
    if (imageSourceOf(src) !== 'upload') return;
    try {
      const asset = src.startsWith('data:')
        ? await upload(fileOf(src))
        : await headwater.uploadFileFromUrl({ url: src });
      image.setAttribute('src', asset.url);
      image.setAttribute('data-asset', asset.assetId);
    } catch {
      failed++;
      (image.closest('figure') ?? image).remove();
    }
  };
  await Promise.all([...body.querySelectorAll('img')].map(store));
  if (failed === 0) void invalidateFiles();
  return failed;
}

/** Pastes text from Word, Google Docs and pages without debris, and images as files of the library. */
export function pastePlugin(): Plugin {
  /** The HTML that is being pasted; undefined if it is pasted as plain text. */
  let cleaned: ReturnType<typeof cleanHtml> | undefined;
  return new Plugin({
    props: {
      transformPastedHTML(html) {
        // What was copied from an editor is clean.
        if (html.includes('data-pm-slice')) return html;
        cleaned = cleanHtml(html);
        return cleaned.body.innerHTML;
      },
      handlePaste(view, event) {
        const { body, lost } = cleaned ?? { body: undefined, lost: 0 };
        cleaned = undefined;
        const { figure } = view.state.schema.nodes;
        const files = figure ? imagesOf(event.clipboardData) : [];
        // A copied image is a file, with HTML that only refers to it.
        if (files.length > 0 && !body?.textContent?.trim()) {
          void insertImages(view, files);
          return true;
        }
        const isComplete = [...(body?.querySelectorAll('img') ?? [])].every(
          (image) => imageSourceOf(image.getAttribute('src') ?? '') !== 'upload',
        );
        if (!figure || !body || isComplete) {
          reportLost(lost);
          return false;
        }
        notify(t('Storing the images of the text …'));
        void storeImages(body).then((failed) => {
          reportLost(lost + failed);
          if (view.isDestroyed) return;
          const { state } = view;
          const slice = DOMParser.fromSchema(state.schema).parseSlice(body, { context: state.selection.$from });
          view.dispatch(state.tr.replaceSelection(slice).scrollIntoView());
        });
        return true;
      },
      handleDrop(view, event) {
        const files = view.state.schema.nodes.figure ? imagesOf(event.dataTransfer) : [];
        if (files.length === 0) return false;
        event.preventDefault();
        void insertImages(view, files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos);
        return true;
      },
    },
  });
}

function reportLost(count: number): void {
  if (count === 0) return;
  notify(
    t(
      '{count, plural, one {An image of the text could not be read. Choose it from the files, or drop it here.} other {# images of the text could not be read. Choose them from the files, or drop them here.}}',
      { count },
    ),
  );
}
